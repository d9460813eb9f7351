import HoldfastStorage

/// The engine in a new directory, with records of about 280 bytes under keys of 22 bytes.
final class BenchEngine: Sendable {
    static let valueBytes = 280

    private let storage: JournalStorage

    /// Opens or creates it.
    init(at path: String) async throws { storage = try await JournalStorage.open(at: path) }

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

    private func write(_ records: [(key: [UInt8], value: [UInt8])]) async throws {
        _ = try await storage.write(.synced) { transaction in
            for record in records {
                try transaction.put(
                    unsafe record.value.span.bytes,
                    for: unsafe record.key.span.bytes
                )
            }
        }
    }

    private static func key(_ number: Int) -> [UInt8] {
        Array("bench/".utf8) + digits(number)
    }

    private static func value(_ number: Int, bytes: Int) -> [UInt8] {
        var value = [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31), count: bytes)
        for (index, digit) in digits(number).enumerated() { value[index] = digit }
        return value
    }

    /// Sixteen digits, so that keys ascend.
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
