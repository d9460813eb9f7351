import HoldfastStorage
import HoldfastTesting

/// The engine in a new directory, with records of about 280 bytes under keys of 42 bytes in random
/// order: a table's name and a UUID, as an app has them.
final class BenchEngine: Sendable {
    static let valueBytes = 280

    private let storage: JournalStorage

    /// Opens or creates it.
    init(at path: String) async throws { storage = try await JournalStorage.open(at: path) }

    /// One that is open.
    init(_ storage: JournalStorage) { self.storage = storage }

    /// Writes records again in one transaction, and returns how many bytes of values.
    func rewrite(_ numbers: [Int]) async throws -> UInt64 {
        try await write(numbers.map { (Self.key($0), Self.value($0, bytes: Self.valueBytes)) })
        return UInt64(numbers.count * Self.valueBytes)
    }

    /// Commits one record, synced.
    func commitOne(_ number: Int, bytes: Int) async throws {
        try await write([(Self.key(number), Self.value(number, bytes: bytes))])
    }

    /// Commits the records of a range in one transaction, synced.
    func commit(_ numbers: Range<Int>) async throws {
        try await write(numbers.map { (Self.key($0), Self.value($0, bytes: Self.valueBytes)) })
    }

    /// Reads one record and checks that it is the one.
    func read(_ number: Int, in snapshot: any StorageSnapshot) throws {
        let key = Self.key(number)
        let value = try snapshot.value(for: unsafe key.span.bytes)
        guard value?.count == Self.valueBytes else {
            throw Failure("record \(number) is not there")
        }
    }

    /// Reads every record and returns how many there are.
    func scan() throws -> Int {
        var count = 0
        var bytes = 0
        try storage.snapshot().scan(.all, .forward) { _, value in
            count += 1
            bytes += value.byteCount
            return true
        }
        guard bytes == count * Self.valueBytes else { throw Failure("the scan read other records") }
        return count
    }

    /// One state.
    func snapshot() throws -> any StorageSnapshot { try storage.snapshot() }

    /// Closes it.
    func close() async throws { try await storage.close() }

    private func write(_ records: [(key: Key, value: [UInt8])]) async throws {
        _ = try await storage.write(.synced) { transaction in
            for record in records {
                try transaction.put(
                    unsafe record.value.span.bytes,
                    for: unsafe record.key.span.bytes
                )
            }
        }
    }

    private typealias Key = InlineArray<42, UInt8>

    /// `notes`, a zero, and the text of a UUID that follows from the number.
    private static func key(_ number: Int) -> Key {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: number))
        let words = (random.next(), random.next())
        return Key { index in
            guard index >= prefix.count else { return prefix[index] }
            let place = index - prefix.count
            if place == 8 || place == 13 || place == 18 || place == 23 { return UInt8(ascii: "-") }
            let dashes = place < 8 ? 0 : place < 13 ? 1 : place < 18 ? 2 : place < 23 ? 3 : 4
            let digit = place - dashes
            let word = digit < 16 ? words.0 : words.1
            let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit & 15))) & 15
            return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        }
    }

    private static let prefix: [6 of UInt8] = [0x6E, 0x6F, 0x74, 0x65, 0x73, 0]

    private static func value(_ number: Int, bytes: Int) -> [UInt8] {
        var value = [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31), count: bytes)
        for (index, digit) in digits(number).enumerated() { value[index] = digit }
        return value
    }

    /// Sixteen digits.
    private static func digits(_ number: Int) -> [UInt8] {
        var digits = [UInt8](repeating: UInt8(ascii: "0"), count: 16)
        var rest = number
        for index in digits.indices.reversed() where rest > 0 {
            digits[index] += UInt8(rest % 10)
            rest /= 10
        }
        return digits
    }
}
