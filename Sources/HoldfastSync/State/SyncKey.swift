import Holdfast
package import HoldfastStorage

/// The keys of what sync stores in a store, beside its records: a leading zero byte keeps them apart
/// from every table's.
package enum SyncKey {
    /// The kinds of entries; FORMAT.md says what each holds.
    package enum Kind: UInt8, CaseIterable {
        case attention = 0x61  // a
        case client = 0x63  // c
        case adoption = 0x64  // d
        case gone = 0x67  // g
        case acknowledged = 0x6B  // k
        case link = 0x6C  // l
        case outbox = 0x6F  // o
        case question = 0x71  // q
        case record = 0x72  // r
        case scope = 0x73  // s
        case tombstone = 0x74  // t
        case raw = 0x75  // u
    }

    private static let prefix: [UInt8] = [0] + Array("sync".utf8) + [0]

    /// What is known of this replica and its dataset.
    package static let client = prefix + [Kind.client.rawValue]

    /// What a store without a schema remembers of being synced.
    static let link = prefix + [Kind.link.rawValue]

    /// How far the adoption of another store's records has come.
    static func adoption(of store: String) -> [UInt8] {
        prefix + [Kind.adoption.rawValue] + store.utf8
    }

    /// All entries of a kind.
    package static func all(_ kind: Kind) -> KeyRange { .prefix(prefix + [kind.rawValue]) }

    /// Everything that sync stores.
    package static let everything = KeyRange.prefix(prefix)

    /// The entry of a record.
    package static func record(_ record: RecordReference, _ kind: Kind = .record) -> [UInt8] {
        var key = prefix
        key.reserveCapacity(key.count + record.table.text.utf8.count + 42)
        key.append(kind.rawValue)
        key.append(contentsOf: record.table.text.utf8)
        key.append(0)
        key.append(contentsOf: record.id.text.utf8)
        return key
    }

    /// The entries of a table's records.
    static func records(of table: TableName, _ kind: Kind = .record) -> KeyRange {
        .prefix(prefix + [kind.rawValue] + table.text.utf8 + [0])
    }

    /// The entry of a scope.
    package static func scope(_ scope: ScopeName) -> [UInt8] {
        prefix + [Kind.scope.rawValue] + scope.text.utf8
    }

    /// The entry of a mutation.
    package static func mutation(
        _ position: Mutation.Position,
        _ kind: Kind = .outbox
    ) -> [UInt8] {
        var key = transaction(position.transaction, kind)
        key.append(bigEndian: position.place)
        return key
    }

    /// What the keys of a transaction's mutations begin with.
    package static func transaction(_ number: UInt64, _ kind: Kind = .outbox) -> [UInt8] {
        var key = prefix
        key.append(kind.rawValue)
        key.append(bigEndian: number)
        return key
    }

    /// The entry of a mutation that was acknowledged and is not confirmed, by its number.
    package static func acknowledged(_ sequence: Int64) -> [UInt8] {
        var key = prefix
        key.append(Kind.acknowledged.rawValue)
        key.append(bigEndian: UInt64(bitPattern: sequence))
        return key
    }

    /// The position of a mutation's key; `nil` for another key.
    package static func position(of key: [UInt8]) -> Mutation.Position? {
        let bytes = key.dropFirst(prefix.count + 1)
        guard bytes.count == 12 else { return nil }
        return Mutation.Position(
            transaction: bytes.prefix(8).bigEndianInteger(),
            place: bytes.suffix(4).bigEndianInteger()
        )
    }

    /// The number of an acknowledged mutation's key.
    package static func sequence(of key: [UInt8]) -> Int64 {
        Int64(bitPattern: key.dropFirst(prefix.count + 1).bigEndianInteger())
    }

    /// The scope of a scope's key.
    package static func scope(of key: [UInt8]) -> ScopeName {
        ScopeName(String(decoding: key.dropFirst(prefix.count + 1), as: UTF8.self))
    }

    /// The record of a record's key; `nil` for another key.
    package static func record(of key: [UInt8]) -> RecordReference? {
        let bytes = key.dropFirst(prefix.count + 1)
        guard let end = bytes.firstIndex(of: 0),
            let table = try? TableName(String(decoding: bytes[..<end], as: UTF8.self)),
            let id = try? RecordID(String(decoding: bytes[(end + 1)...], as: UTF8.self))
        else { return nil }
        return RecordReference(table, id)
    }
}

extension [UInt8] {
    /// Appends an integer, the most significant byte first.
    mutating func append(bigEndian integer: some FixedWidthInteger) {
        var shift = integer.bitWidth - 8
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: integer >> shift))
            shift -= 8
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes as an integer, the most significant first.
    func bigEndianInteger<Integer: FixedWidthInteger>() -> Integer {
        reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
    }
}
