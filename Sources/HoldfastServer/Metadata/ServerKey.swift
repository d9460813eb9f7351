import Holdfast
import HoldfastStorage
import HoldfastSync

/// The keys of the server's own entries: a space, a letter, and parts with a zero byte between them.
///
/// No part has a zero byte, but for a number, which always comes last or has a fixed place.
enum ServerKey {
    private enum Kind: UInt8 {
        case client = 0x63  // c
        case feed = 0x66  // f
        case key = 0x6B  // k
        case live = 0x6C  // l
        case sent = 0x71  // q
        case record = 0x72  // r
        case scope = 0x73  // s
        case tombstone = 0x74  // t
    }

    private static let prefix = SystemSpace.server.prefix

    private static func bytes(_ kind: Kind, reserving count: Int = 96) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        bytes.append(contentsOf: prefix)
        bytes.append(kind.rawValue)
        return bytes
    }

    /// What is known of the dataset.
    static let dataset = SystemSpace.server.prefix + [0x64]

    // MARK: Records

    /// What is known of a record.
    static func record(_ record: RecordReference) -> [UInt8] {
        var key = bytes(.record)
        append(record, to: &key)
        return key
    }

    /// Every record that is known.
    static var records: KeyRange { .prefix(bytes(.record)) }

    /// The record of a key of ``record(_:)``.
    static func recordReference(_ key: [UInt8]) throws -> RecordReference {
        try reference(key.dropFirst(bytes(.record).count))
    }

    private static func reference(_ parts: ArraySlice<UInt8>) throws -> RecordReference {
        guard let zero = parts.firstIndex(of: 0) else { throw MetadataReader.damage }
        return RecordReference(
            try TableName(String(decoding: parts[..<zero], as: UTF8.self)),
            try RecordID(String(decoding: parts[(zero + 1)...], as: UTF8.self))
        )
    }

    /// Every record that lives in any scope.
    static var allLive: KeyRange { .prefix(bytes(.live)) }

    /// Every position of every scope.
    static var feeds: KeyRange { .prefix(bytes(.feed)) }

    /// That a record lives in a scope.
    static func live(_ record: RecordReference, in scope: ScopeName) -> [UInt8] {
        var key = livePrefix(scope)
        append(record, to: &key)
        return key
    }

    /// The records that live in a scope, by table and id.
    static func live(in scope: ScopeName) -> KeyRange { .prefix(livePrefix(scope)) }

    /// The records of one table that live in a scope.
    static func live(in scope: ScopeName, _ table: TableName) -> KeyRange {
        .prefix(livePrefix(scope) + Array(table.text.utf8) + [0])
    }

    /// The record of a key of ``live(_:in:)``.
    static func liveRecord(_ key: [UInt8], in scope: ScopeName) throws -> RecordReference {
        try reference(key.dropFirst(livePrefix(scope).count))
    }

    private static func livePrefix(_ scope: ScopeName) -> [UInt8] {
        var key = bytes(.live)
        append(scope.text, to: &key)
        return key
    }

    // MARK: Scopes

    /// What is known of a scope.
    static func scope(_ scope: ScopeName) -> [UInt8] {
        bytes(.scope) + scope.text.utf8
    }

    /// A position in a scope's history.
    static func feed(_ scope: ScopeName, _ sequence: Int64) -> [UInt8] {
        var prefix = bytes(.feed)
        append(scope.text, to: &prefix)
        return numbered(prefix, sequence)
    }

    /// The history of a scope behind a position.
    static func feed(_ scope: ScopeName, after sequence: Int64) -> KeyRange {
        var prefix = bytes(.feed)
        append(scope.text, to: &prefix)
        let end = KeyRange.successor(ofPrefix: prefix)
        return KeyRange(from: numbered(prefix, sequence) + [0], upTo: end)
    }

    /// A tombstone, or that a record left a scope, by version.
    static func tombstone(_ version: RecordVersion, in scope: ScopeName) -> [UInt8] {
        numbered(bytes(.tombstone), version.number) + scope.text.utf8
    }

    /// Every tombstone, the oldest first.
    static var tombstones: KeyRange { .prefix(bytes(.tombstone)) }

    /// How many bytes stand before the version in a key of ``tombstone(_:in:)``.
    static var tombstonePrefixLength: Int { bytes(.tombstone).count }

    /// The scope of a key of ``tombstone(_:in:)``.
    static func tombstoneScope(_ key: [UInt8]) -> ScopeName {
        ScopeName(String(decoding: key.dropFirst(tombstonePrefixLength + 8), as: UTF8.self))
    }

    // MARK: Clients

    /// What is known of a client.
    static func client(_ client: ClientID, of principal: Principal) -> [UInt8] {
        var key = bytes(.client)
        append(principal.id, to: &key)
        key.append(contentsOf: client.text.utf8)
        return key
    }

    /// The result of a mutation, or that there was one.
    static func key(_ name: MutationKey, of principal: Principal) -> [UInt8] {
        var key = bytes(.key)
        append(principal.id, to: &key)
        key.append(contentsOf: name.text.utf8)
        return key
    }

    /// Every key that is kept.
    static var keys: KeyRange { .prefix(bytes(.key)) }

    /// The mutation of a key of ``key(_:of:)``.
    static func lastPart(of key: [UInt8]) -> String {
        let start = key.lastIndex(of: 0).map { $0 + 1 } ?? key.startIndex
        return String(decoding: key[start...], as: UTF8.self)
    }

    /// The principal of a key of ``key(_:of:)``.
    static func principal(of key: [UInt8]) -> String {
        let rest = key.dropFirst(bytes(.key).count)
        return String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The key of a mutation by its number.
    static func sent(_ sequence: Int64, by client: ClientID, of principal: Principal) -> [UInt8] {
        numbered(sentPrefix(client, principal), sequence)
    }

    /// The keys of a client that are kept, in the order of their numbers.
    static func sent(by client: ClientID, of principal: Principal) -> KeyRange {
        .prefix(sentPrefix(client, principal))
    }

    /// The keys of a client that are kept, up to a number.
    static func sent(
        by client: ClientID,
        of principal: Principal,
        through sequence: Int64
    ) -> KeyRange {
        let prefix = sentPrefix(client, principal)
        guard sequence < .max else { return .prefix(prefix) }
        return KeyRange(from: prefix, upTo: numbered(prefix, sequence + 1))
    }

    private static func sentPrefix(_ client: ClientID, _ principal: Principal) -> [UInt8] {
        var key = bytes(.sent)
        append(principal.id, to: &key)
        append(client.text, to: &key)
        return key
    }

    // MARK: Parts

    /// A key with a number behind it.
    private static func numbered(_ prefix: consuming [UInt8], _ number: Int64) -> [UInt8] {
        var key = prefix
        MetadataWriter.appendOrdered(number, to: &key)
        return key
    }

    private static func append(_ record: RecordReference, to key: inout [UInt8]) {
        append(record.table.text, to: &key)
        record.id.append(to: &key)
    }

    private static func append(_ part: String, to key: inout [UInt8]) {
        key.append(contentsOf: part.utf8)
        key.append(0)
    }
}
