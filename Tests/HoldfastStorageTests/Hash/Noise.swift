/// Bytes that look random and are the same in every run: the generator of xxHash's own tests.
func noise(count: Int) -> [UInt8] {
    var state: UInt64 = 2_654_435_761
    return (0..<count).map { _ in
        defer { state &*= 11_400_714_785_074_694_797 }
        return UInt8(state >> 56)
    }
}
