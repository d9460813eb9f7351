/// A store's identity: 16 random bytes, written once and named by every file of the store.
///
/// A replica of a store has one too; the first replica's is the store's own.
public struct StoreID: Hashable, Sendable {
    /// The first eight bytes, in little-endian order.
    public let first: UInt64
    /// The last eight bytes, in little-endian order.
    public let second: UInt64

    /// The identity with these bytes.
    public init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }
}

extension StoreID: CustomStringConvertible {
    /// The bytes in hexadecimal.
    public var description: String {
        [first, second].map { word in
            let digits = String(word.byteSwapped, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
