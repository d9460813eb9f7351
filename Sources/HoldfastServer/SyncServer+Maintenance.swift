import Holdfast
package import HoldfastSync

extension SyncServer {
    /// Forgets old deletions, and raises the floor in the same transaction: a client that has not
    /// asked since takes a snapshot.
    ///
    /// - Parameter age: How old a deletion has to be, by the server's clock.
    /// - Returns: How many were forgotten.
    /// - Throws: `StoreError`; nothing was forgotten.
    @discardableResult
    public func purgeTombstones(olderThan age: Duration) async throws -> Int {
        let limit = configuration.clock().subtracting(age)
        return try await purge { tombstone, _ in tombstone.time <= limit }
    }

    /// Forgets every deletion up to a version.
    @discardableResult
    package func purgeTombstones(through version: RecordVersion) async throws -> Int {
        try await purge { $1 <= version }
    }

    private func purge(
        _ isDue: @escaping @Sendable (TombstoneRecord, RecordVersion) -> Bool
    ) async throws -> Int {
        try await store.writeUnrecorded { transaction in
            var purge = TombstonePurge(dataset: try Self.dataset(transaction))
            return try purge.run(in: &transaction, isDue)
        }
    }

    /// Forgets the results of mutations that no client has acknowledged within the retention.
    ///
    /// - Returns: How many were forgotten.
    /// - Throws: `StoreError`; nothing was forgotten.
    /// - Complexity: O(k) for k results that are kept.
    @discardableResult
    public func collectKeys() async throws -> Int {
        let limit = configuration.clock().subtracting(configuration.keyRetention)
        return try await store.writeUnrecorded { transaction in
            try KeyCollection(limit: limit).run(in: &transaction)
        }
    }

    /// Begins a new epoch: to be called once after the store was restored from a backup, before it
    /// serves anybody.
    ///
    /// Clients take snapshots, and send what they have that is newer than the backup. Versions go on
    /// far above all that the lost history can have given: by the clock, too, since an older backup
    /// knows nothing of epochs that began after it was made.
    ///
    /// - Throws: `StoreError`; the epoch is as it was.
    public func beginEpoch() async throws {
        let epoch = EpochID(configuration.ids.next().text)
        try await store.writeUnrecorded(.synced) { transaction in
            var dataset = try Self.dataset(transaction)
            let (next, isOver) = dataset.head.number.addingReportingOverflow(1 << 32)
            guard !isOver else { throw MetadataReader.damage }
            let head = max(next, Self.version(at: configuration.clock()))
            dataset.epoch = epoch
            dataset.epochStart = dataset.head
            dataset.gaps.append(dataset.head.number + 1...head)
            dataset.head = RecordVersion(head)
            try transaction.putSystem(dataset.bytes, for: ServerKey.dataset)
        }
        listeners.tell { _ in .resync }
    }

    /// A version that no history has come to before a time: at most 256 a millisecond are given for
    /// long, and what JavaScript counts exactly lasts for more than a thousand years.
    private static func version(at milliseconds: Int64) -> Int64 {
        min(max(milliseconds, 0), 1 << 45) << 8
    }
}

extension Int64 {
    /// A time in milliseconds, so long before.
    fileprivate func subtracting(_ age: Duration) -> Int64 {
        let (milliseconds, isOver) = age.components.seconds.multipliedReportingOverflow(by: 1_000)
        if isOver { return age < .zero ? .max : .min }
        let part = age.components.attoseconds / 1_000_000_000_000_000
        let (time, isBefore) = subtractingReportingOverflow(milliseconds + part)
        return isBefore ? .min : time
    }
}

/// Forgets deletions.
struct TombstonePurge {
    private var dataset: DatasetRecord
    private var scopes: [ScopeName: ScopeRecord] = [:]

    init(dataset: DatasetRecord) { self.dataset = dataset }

    /// - Returns: How many were forgotten.
    mutating func run(
        in transaction: inout WriteTransaction,
        _ isDue: (TombstoneRecord, RecordVersion) -> Bool
    ) throws -> Int {
        var due: [(key: [UInt8], tombstone: TombstoneRecord)] = []
        let prefix = ServerKey.tombstonePrefixLength
        try transaction.scanSystem(ServerKey.tombstones) { key, value in
            let tombstone = try TombstoneRecord(value)
            let version = RecordVersion(MetadataReader.ordered(key.dropFirst(prefix)))
            guard isDue(tombstone, version) else { return false }
            due.append((key, tombstone))
            dataset.floor = max(dataset.floor, version)
            return true
        }
        for (key, tombstone) in due {
            let scope = ServerKey.tombstoneScope(key)
            try forget(tombstone, scope, in: &transaction)
            try transaction.deleteSystem(key)
        }
        for (scope, known) in scopes {
            try transaction.putSystem(known.bytes, for: ServerKey.scope(scope))
        }
        if !due.isEmpty { try transaction.putSystem(dataset.bytes, for: ServerKey.dataset) }
        return due.count
    }

    private mutating func forget(
        _ tombstone: TombstoneRecord,
        _ scope: ScopeName,
        in transaction: inout WriteTransaction
    ) throws {
        var known = try scopes[scope] ?? transaction.scopeRecord(scope)
        known.floor = max(known.floor, tombstone.sequence)
        scopes[scope] = known
        try transaction.deleteSystem(ServerKey.feed(scope, tombstone.sequence))
        guard var metadata = try transaction.metadata(of: tombstone.record) else { return }
        if metadata.departures[scope]?.sequence == tombstone.sequence {
            metadata.departures[scope] = nil
            try transaction.putSystem(metadata.bytes, for: ServerKey.record(tombstone.record))
        } else if metadata.isTombstone, metadata.sequence == tombstone.sequence,
            metadata.scope == scope
        {
            try transaction.deleteSystem(ServerKey.record(tombstone.record))
        }
    }
}

/// Forgets results that nobody asked for.
struct KeyCollection {
    /// What is older goes.
    let limit: Int64

    /// - Returns: How many were forgotten.
    func run(in transaction: inout WriteTransaction) throws -> Int {
        var due: [(key: [UInt8], stored: StoredResult?)] = []
        try transaction.scanSystem(ServerKey.keys) { key, value in
            let name = MutationKey(ServerKey.lastPart(of: key))
            let record = try KeyRecord(value, of: name)
            guard record.time <= limit else { return true }
            if case .result(let stored) = record {
                due.append((key, stored))
            } else {
                due.append((key, nil))
            }
            return true
        }
        for (key, stored) in due {
            try transaction.deleteSystem(key)
            guard let stored else { continue }
            let principal = Principal(ServerKey.principal(of: key))
            try collect(stored, of: principal, in: &transaction)
        }
        return due.count
    }

    private func collect(
        _ stored: StoredResult,
        of principal: Principal,
        in transaction: inout WriteTransaction
    ) throws {
        try transaction.deleteSystem(
            ServerKey.sent(stored.sequence, by: stored.client, of: principal)
        )
        let key = ServerKey.client(stored.client, of: principal)
        var through: Int64 = 0
        if let known = try transaction.systemValue(for: key) {
            var reader = MetadataReader(known)
            through = try reader.number()
        }
        guard stored.sequence > through else { return }
        var writer = MetadataWriter(reserving: 10)
        writer.append(stored.sequence)
        try transaction.putSystem(writer.bytes, for: key)
    }
}
