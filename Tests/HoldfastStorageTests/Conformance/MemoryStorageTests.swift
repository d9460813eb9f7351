import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct MemoryStorageTests {
    @Test(arguments: [0, 1, 3, 10])
    func theFeedKeepsTheNewestCommitsAndNamesWhatItForgot(_ retained: Int) async throws {
        let store = MemoryStorage(retainedCommits: retained)
        for round in 1...25 as ClosedRange<UInt8> {
            try await store.write(.buffered) { transaction in
                try unsafe transaction.put([round].span.bytes, for: [round].span.bytes)
            }
            let floor = UInt64(max(0, Int(round) - retained))
            let kept = try store.changes(after: SequenceNumber(floor), limit: 100)
            let expected = (floor + 1..<UInt64(round) + 1).map { $0 }
            #expect(kept.map(\.sequenceNumber.rawValue) == expected)
            #expect(kept.allSatisfy { $0.changes.count == 1 })
            guard floor > 0 else { continue }
            let error = #expect(throws: StorageError.self) {
                try store.changes(after: SequenceNumber(floor - 1), limit: 1)
            }
            #expect(error?.code == .changesCompacted)
        }
        try await store.close()
    }

    /// Each fault breaks one promise; a suite that passes it would prove nothing.
    @Test(arguments: SpoiledStorage.Fault.allCases)
    func theConformanceSuiteFindsTheFault(_ fault: SpoiledStorage.Fault) async throws {
        var broken: [String] = []
        for check in StorageConformance.checks {
            do {
                try await check.run { SpoiledStorage(fault) }
            } catch {
                broken.append(check.name)
            }
        }
        #expect(!broken.isEmpty)
    }
}

/// A memory storage that breaks one promise.
final class SpoiledStorage: Storage {
    enum Fault: CaseIterable {
        case feedIgnoresItsLimit
        case feedRepeatsTheLastCommit
        case waitingReturnsTheWrongNumber
        case cancellationIsIgnored
        case indexesAreNotDropped
    }

    private let base = MemoryStorage()
    private let fault: Fault

    init(_ fault: Fault) { self.fault = fault }

    func snapshot() throws(StorageError) -> any StorageSnapshot { try base.snapshot() }

    @concurrent
    func write<Result>(
        _ durability: Durability,
        _ body: sending (any StorageTransaction) throws -> sending Result
    ) async throws -> sending (result: Result, sequenceNumber: SequenceNumber) {
        if fault == .cancellationIsIgnored, Task.isCancelled {
            return (try body(TreeTransaction(StorageRoot(), log: IgnoringLog())), .zero)
        }
        return try await base.write(durability, body)
    }

    @concurrent
    func setIndexes(_ definitions: [IndexDefinition]) async throws {
        let names = Set(definitions.map(\.name))
        let kept = try base.snapshot().indexNames.filter { !names.contains($0) }
        guard fault == .indexesAreNotDropped, !kept.isEmpty else {
            return try await base.setIndexes(definitions)
        }
        let dropped = kept.map { IndexDefinition(name: $0, version: 1) { _, _, _ in } }
        try await base.setIndexes(definitions + dropped)
    }

    func changes(
        after number: SequenceNumber,
        limit: Int
    ) throws(StorageError) -> [Commit] {
        switch fault {
        case .feedIgnoresItsLimit:
            return try base.changes(after: number, limit: .max)
        case .feedRepeatsTheLastCommit where number.rawValue > 0:
            return try base.changes(after: SequenceNumber(number.rawValue - 1), limit: limit)
        default:
            return try base.changes(after: number, limit: limit)
        }
    }

    @concurrent
    func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber {
        let published = try await base.waitForCommit(after: number)
        return fault == .waitingReturnsTheWrongNumber ? number : published
    }

    @concurrent
    func close() async throws { try await base.close() }
}

private struct IgnoringLog: TransactionLog {
    var mark: Int { 0 }

    mutating func rollBack(to mark: Int) {}

    mutating func appendPut(
        _ value: RawSpan,
        for key: RawSpan,
        _ record: (RawSpan) throws(StorageError) -> Void
    ) throws(StorageError) {
        try record(value)
    }

    mutating func appendDelete(
        _ key: RawSpan,
        hiding hidden: ClosedRange<UInt32>
    ) throws(StorageError) -> Tombstone? {
        nil
    }

    func withValue<Result>(
        at payload: RawSpan,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result {
        body(payload)
    }

    func value(at payload: RawSpan, for key: RawSpan) throws(StorageError) -> [UInt8] {
        payload.bytes
    }
}
