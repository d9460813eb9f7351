import Holdfast

/// A record that left a scope, until it is known whether it has come to another.
struct GoneNote: Hashable, Sendable {
    private static let sweptBit: UInt64 = 1 << 63

    /// The scope that it left.
    let scope: ScopeName
    /// The version at which it left; of one that a snapshot has passed, the snapshot's head.
    let version: RecordVersion
    /// Whether a snapshot has passed it: it may be deleted as well as in another scope.
    let isSwept: Bool

    init(scope: ScopeName, version: RecordVersion, isSwept: Bool = false) {
        self.scope = scope
        self.version = version
        self.isSwept = isSwept
    }

    /// The bytes that are stored: the version, with a bit for what a snapshot has passed, then the
    /// scope's name.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        let number = UInt64(bitPattern: version.number)
        bytes.append(bigEndian: isSwept ? number | Self.sweptBit : number)
        bytes.append(contentsOf: scope.text.utf8)
        return bytes
    }

    /// - Throws: ``SyncError`` `.damagedState`.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count >= 8 else { throw SyncError.damagedState("a record that left a scope") }
        let number: UInt64 = bytes[..<8].bigEndianInteger()
        version = RecordVersion(Int64(bitPattern: number & ~Self.sweptBit))
        isSwept = number & Self.sweptBit != 0
        scope = ScopeName(String(decoding: bytes[8...], as: UTF8.self))
    }
}

extension GoneNote {
    /// Whether a snapshot's word of a record still stands: nothing newer is known of it, and nothing
    /// of another scope.
    func stands(for state: SyncRecord) -> Bool {
        guard isSwept, !state.isUnseen, state.version.number > 0 else { return false }
        if let remote = state.remote {
            return remote.scope == scope && remote.state.version <= version
        }
        return state.version <= version && (state.scope == nil || state.scope == scope)
    }
}

extension Settling {
    /// A record that is on the server no longer: a clean one goes, and what is pending of it meets
    /// that like anybody's deletion.
    func sweep(
        _ record: RecordReference,
        of scope: ScopeName,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        guard state.isClean else {
            if state.remote.map({ $0.scope == scope }) ?? true {
                state.remote = SyncRecord.Remote(state: .absent, scope: scope)
            }
            return try settle(record, &state, &transaction)
        }
        try transaction.deleteDocument(of: record.id, in: record.table)
        try transaction.note(.tombstone, record, false)
        try transaction.removeSyncRecord(record)
    }
}
