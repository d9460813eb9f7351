import Holdfast
import HoldfastStorage
import HoldfastSync

/// Whether what a server notes about its records fits together, and fits the records.
struct ServerInvariants {
    private let dataset: DatasetRecord
    private var problems: [String] = []
    /// How many entries of each kind the records account for.
    private var counts = (feed: 0, live: 0, tombstones: 0)
    private var scopes: [ScopeName: Int64] = [:]

    private init(_ dataset: DatasetRecord) { self.dataset = dataset }

    /// What does not fit.
    static func check(_ transaction: borrowing ReadTransaction) throws -> [String] {
        var invariants = ServerInvariants(try SyncServer.dataset(transaction))
        try invariants.run(transaction)
        return invariants.problems
    }

    private mutating func run(_ transaction: borrowing ReadTransaction) throws {
        var records: [RecordReference] = []
        try transaction.scanSystemKeys(ServerKey.records) { key in
            records.append(try ServerKey.recordReference(key))
            return true
        }
        for record in records { try check(record, transaction) }
        try checkCounts(transaction)
    }

    private mutating func expect(_ holds: Bool, _ problem: @autoclosure () -> String) {
        if !holds { problems.append(problem()) }
    }

    private mutating func check(
        _ record: RecordReference,
        _ transaction: borrowing ReadTransaction
    ) throws {
        guard let metadata = try transaction.metadata(of: record) else { return }
        let name = "\(record.table)/\(record.id)"
        let isLive = try transaction.contains(record.id, in: record.table)
        expect(isLive != metadata.isTombstone, "\(name): record and tombstone")
        let stamps = [metadata.whole] + metadata.fields.values
        let newest = stamps.map(\.version).max() ?? metadata.whole.version
        expect(newest <= metadata.version, "\(name): a field is newer than the record")
        expect(metadata.version <= dataset.head, "\(name): newer than the head")
        let kind: ServerChange.Kind = isLive ? .put : .delete
        try check(
            FeedEntry(kind, metadata.version, record, form: metadata.form),
            at: metadata.sequence,
            in: metadata.scope,
            transaction
        )
        if isLive {
            counts.live += 1
            let key = ServerKey.live(record, in: metadata.scope)
            expect(try transaction.containsSystem(key), "\(name): not among the living")
        } else {
            try checkTombstone(
                metadata.version,
                metadata.sequence,
                of: record,
                metadata.scope,
                transaction
            )
        }
        for (scope, departure) in metadata.departures {
            expect(scope != metadata.scope, "\(name): has left the scope that it is in")
            try check(
                FeedEntry(.gone, departure.version, record),
                at: departure.sequence,
                in: scope,
                transaction
            )
            try checkTombstone(
                departure.version,
                departure.sequence,
                of: record,
                scope,
                transaction
            )
        }
    }

    private mutating func check(
        _ expected: FeedEntry,
        at sequence: Int64,
        in scope: ScopeName,
        _ transaction: borrowing ReadTransaction
    ) throws {
        counts.feed += 1
        let entry = try transaction.systemValue(for: ServerKey.feed(scope, sequence))
            .map { try FeedEntry($0) }
        expect(
            entry == expected,
            "\(expected.record.table)/\(expected.record.id): not at its place in \(scope)"
        )
        scopes[scope] = max(scopes[scope] ?? 0, sequence)
    }

    private mutating func checkTombstone(
        _ version: RecordVersion,
        _ sequence: Int64,
        of record: RecordReference,
        _ scope: ScopeName,
        _ transaction: borrowing ReadTransaction
    ) throws {
        counts.tombstones += 1
        let tombstone = try transaction.systemValue(for: ServerKey.tombstone(version, in: scope))
            .map { try TombstoneRecord($0) }
        expect(
            tombstone?.record == record && tombstone?.sequence == sequence,
            "\(record.table)/\(record.id): deletion not remembered"
        )
    }

    private mutating func checkCounts(_ transaction: borrowing ReadTransaction) throws {
        let counts = counts
        let feed = try transaction.countSystem(in: ServerKey.feeds)
        expect(feed == counts.feed, "\(feed) places for \(counts.feed)")
        let live = try transaction.countSystem(in: ServerKey.allLive)
        expect(live == counts.live, "\(live) living of \(counts.live)")
        let tombstones = try transaction.countSystem(in: ServerKey.tombstones)
        expect(tombstones == counts.tombstones, "\(tombstones) of \(counts.tombstones) deletions")
        let stored = try transaction.tables().reduce(0) { $0 + $1.count }
        expect(stored == counts.live, "\(stored) records, \(counts.live) of them known")
        for (scope, last) in scopes {
            let known = try transaction.scopeRecord(scope)
            expect(last <= known.sequence, "\(scope): a place behind the last")
            expect(known.floor <= known.sequence, "\(scope): floor above the last place")
        }
    }
}

extension SyncServer {
    /// What of the server's notes does not fit its records; empty when all does.
    ///
    /// - Complexity: O(records).
    package func brokenInvariants() throws -> [String] {
        try store.read { transaction in
            try ServerInvariants.check(transaction)
        }
    }
}
