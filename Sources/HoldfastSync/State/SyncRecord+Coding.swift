import Holdfast

/// FORMAT.md describes the bytes: a kind, a mark, a version and a scope's name, and for a record
/// that is not clean what there is besides.
extension SyncRecord {
    private enum Kind: UInt8 {
        case clean = 0
        case tombstone = 1
        case pending = 2
        case pendingTombstone = 3

        var isDeleted: Bool { self == .tombstone || self == .pendingTombstone }
        var isClean: Bool { self == .clean || self == .tombstone }
    }

    /// In the first byte: the form of the base follows, and no step could be run on it.
    private static let formBit: UInt8 = 4
    private static let rawBit: UInt8 = 8

    private struct Parts: OptionSet {
        let rawValue: UInt8
        static let base = Self(rawValue: 1)
        static let remote = Self(rawValue: 2)
        static let remoteObject = Self(rawValue: 4)
        static let remoteScope = Self(rawValue: 8)
        static let question = Self(rawValue: 16)
        static let unseen = Self(rawValue: 32)
        static let remoteForm = Self(rawValue: 64)
        static let remoteRaw = Self(rawValue: 128)
    }

    /// The bytes that are stored under ``SyncKey/record(_:_:)-(_,Kind)``.
    package func encoded() throws -> [UInt8] {
        let isClean = isClean
        var writer = StateWriter(capacity: isClean ? 48 : 512)
        let kind: Kind =
            switch (isClean, isDeleted) {
            case (true, false): .clean
            case (true, true): .tombstone
            case (false, false): .pending
            case (false, true): .pendingTombstone
            }
        writer.append(kind.rawValue | (form > 0 ? Self.formBit : 0) | (isRaw ? Self.rawBit : 0))
        writer.append(mark)
        writer.append(version.number)
        writer.append(scope?.text)
        if form > 0 { writer.append(UInt32(clamping: form)) }
        if isClean { return writer.bytes }
        writer.append(UInt32(clamping: mutations.count))
        for position in mutations {
            writer.append(position.transaction)
            writer.append(position.place)
        }
        writer.append(parts.rawValue)
        if let base { try writer.append(base) }
        if let remote {
            writer.append(remote.state.version.number)
            if let object = remote.state.object { try writer.append(object) }
            if let scope = remote.scope { writer.append(scope.text) }
            if remote.state.form > 0 { writer.append(UInt32(clamping: remote.state.form)) }
        }
        if let question { writer.append(question) }
        return writer.bytes
    }

    private var parts: Parts {
        var parts: Parts = []
        if base != nil { parts.insert(.base) }
        if let remote {
            parts.insert(.remote)
            if remote.state.object != nil { parts.insert(.remoteObject) }
            if remote.scope != nil { parts.insert(.remoteScope) }
            if remote.state.form > 0 { parts.insert(.remoteForm) }
            if remote.state.isRaw { parts.insert(.remoteRaw) }
        }
        if question != nil { parts.insert(.question) }
        if isUnseen { parts.insert(.unseen) }
        return parts
    }

    /// The record of stored bytes.
    ///
    /// - Throws: ``SyncError`` `.damagedState`.
    package init(_ bytes: [UInt8]) throws {
        self.init()
        var reader = StateReader(bytes, of: "a record's state")
        let first: UInt8 = try reader.integer()
        guard let kind = Kind(rawValue: first & ~(Self.formBit | Self.rawBit)) else {
            throw reader.damage
        }
        isDeleted = kind.isDeleted
        isRaw = first & Self.rawBit != 0
        wasRaw = isRaw
        mark = try reader.integer()
        version = RecordVersion(try reader.integer())
        scope = try reader.optionalText().map { ScopeName($0) }
        if first & Self.formBit != 0 { form = Int(try reader.integer(UInt32.self)) }
        if !kind.isClean { try readPending(&reader) }
        try reader.end()
    }

    private mutating func readPending(_ reader: inout StateReader) throws {
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let (transaction, place) = (
                try reader.integer(UInt64.self), try reader.integer(UInt32.self)
            )
            mutations.append(Mutation.Position(transaction: transaction, place: place))
        }
        let parts = Parts(rawValue: try reader.integer())
        isUnseen = parts.contains(.unseen)
        if parts.contains(.base) { base = try reader.object() }
        if parts.contains(.remote) {
            let version = RecordVersion(try reader.integer())
            let object = parts.contains(.remoteObject) ? try reader.object() : nil
            let scope = parts.contains(.remoteScope) ? ScopeName(try reader.text()) : nil
            var state = ServerState(version: version, object: object)
            if parts.contains(.remoteForm) { state.form = Int(try reader.integer(UInt32.self)) }
            state.isRaw = parts.contains(.remoteRaw)
            remote = Remote(state: state, scope: scope)
        }
        if parts.contains(.question) { question = try reader.texts() }
    }
}
