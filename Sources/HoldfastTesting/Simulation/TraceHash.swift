/// A hash of everything that happened, in order (FNV-1a, 64 bits): the same in every process.
struct TraceHash: Hashable, Sendable {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: UInt64) {
        // A word at a time: what is hashed is no text that must not collide by design.
        value = (value ^ number) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ time: Duration) {
        add(UInt64(bitPattern: time.components.seconds))
        add(UInt64(bitPattern: time.components.attoseconds))
    }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        for byte in text.utf8 { add(UInt64(byte)) }
    }

    mutating func add(_ bytes: [UInt8]) {
        add(bytes.count)
        for byte in bytes { add(UInt64(byte)) }
    }
}
