import Synchronization

/// A write transaction over a root and a log.
///
/// It builds on a copy of the head and changes nothing that others see. Its writes go to the log
/// and to its own root; whoever made it takes both with ``end()`` and commits or forgets them.
///
/// What is called often is compiled for the two logs of this library, too: a call through the
/// protocol would look the types of what it handles up at run time.
package final class TreeTransaction<Log: TransactionLog>: StorageTransaction {
    private struct State {
        var root: StorageRoot
        var log: Log
        var isOpen = true
    }

    private let state: Mutex<State>

    /// A transaction on top of `root` that appends its writes to `log`.
    package init(_ root: StorageRoot, log: Log) {
        state = Mutex(State(root: root, log: log))
    }

    /// Ends the transaction: from now on it throws `.closed`.
    ///
    /// - Returns: The root with its writes, and the log that holds them.
    package func end() -> (root: StorageRoot, log: Log) {
        state.withLock { state in
            let result = (root: state.root, log: state.log)
            state.isOpen = false
            // What is left behind must not share nodes with the root that others go on changing.
            state.root = StorageRoot(sequenceNumber: state.root.sequenceNumber)
            return result
        }
    }

    private static var closedError: StorageError {
        StorageError(.closed, "The transaction has ended; use it only inside its closure.")
    }

    private func withOpenState<Result>(
        _ body: (inout State) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try state.withLock { (state) throws(StorageError) in
            guard state.isOpen else { throw Self.closedError }
            return try body(&state)
        }
    }

    /// The state as it is, for what may call back into this transaction.
    private func copyOfState() throws(StorageError) -> (root: StorageRoot, log: Log) {
        try withOpenState { (state) throws(StorageError) in (state.root, state.log) }
    }
}

extension TreeTransaction {
    @_specialize(where Log == FrameLog)
    @_specialize(where Log == MemoryLog)
    package func put(_ value: RawSpan, for key: RawSpan) throws(StorageError) {
        try Self.validate(key)
        try withOpenState { (state) throws(StorageError) in
            let edits = try state.root.indexEdits(replacing: key, with: value, reading: state.log)
            let mark = state.log.mark
            do throws(StorageError) {
                try state.log.appendPut(value, for: key) { (payload) throws(StorageError) in
                    _ = try state.root.put(payload, value, for: key, edits)
                }
            } catch {
                state.log.rollBack(to: mark)
                throw error
            }
        }
    }

    @_specialize(where Log == FrameLog)
    @_specialize(where Log == MemoryLog)
    @discardableResult
    package func delete(_ key: RawSpan) throws(StorageError) -> Bool {
        try withOpenState { (state) throws(StorageError) in
            guard let hidden = try state.root.segments(of: key) else { return false }
            let mark = state.log.mark
            do throws(StorageError) {
                let tombstone = try state.log.appendDelete(key, hiding: hidden)
                return try state.root.delete(key, reading: state.log, leaving: tombstone)
            } catch {
                state.log.rollBack(to: mark)
                throw error
            }
        }
    }

    package func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        let savepoint = try withOpenState { (state) throws(StorageError) in
            (root: state.root, mark: state.log.mark)
        }
        do {
            return try body()
        } catch {
            try withOpenState { (state) throws(StorageError) in
                state.root = savepoint.root
                state.log.rollBack(to: savepoint.mark)
            }
            throw error
        }
    }

    private static func validate(_ key: RawSpan) throws(StorageError) {
        guard !key.isEmpty, key.byteCount <= StorageLimits.keyBytes else {
            throw StorageError(
                .invalidKey,
                "A key has 1 to \(StorageLimits.keyBytes) bytes; this one has \(key.byteCount)."
            )
        }
    }
}

extension TreeTransaction {
    package var sequenceNumber: SequenceNumber { state.withLock { $0.root.sequenceNumber } }

    package var count: Int { state.withLock { $0.root.records.count } }

    package var indexNames: [String] { state.withLock { $0.root.indexNames } }

    @_specialize(where Log == FrameLog)
    @_specialize(where Log == MemoryLog)
    package func value(for key: RawSpan) throws(StorageError) -> [UInt8]? {
        try withOpenState { (state) throws(StorageError) in
            try state.root.value(for: key, reading: state.log)
        }
    }

    @_specialize(where Log == FrameLog)
    @_specialize(where Log == MemoryLog)
    package func contains(_ key: RawSpan) throws(StorageError) -> Bool {
        try withOpenState { (state) throws(StorageError) in try state.root.records.contains(key) }
    }

    package func count(in range: KeyRange) throws(StorageError) -> Int {
        try withOpenState { (state) throws(StorageError) in
            try state.root.records.count(in: range)
        }
    }

    package func countIndex(_ index: String, in range: KeyRange) throws(StorageError) -> Int {
        try withOpenState { (state) throws(StorageError) in
            try state.root.countIndex(index, in: range)
        }
    }

    @_specialize(where Log == FrameLog)
    @_specialize(where Log == MemoryLog)
    package func scan(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        let state = try copyOfState()
        try state.root.scan(range, direction, reading: state.log, visit)
    }

    @_specialize(where Log == FrameLog)
    @_specialize(where Log == MemoryLog)
    package func scanUnordered(
        _ range: KeyRange,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        let state = try copyOfState()
        try state.root.scanUnordered(range, reading: state.log, visit)
    }

    @_specialize(where Log == FrameLog)
    @_specialize(where Log == MemoryLog)
    package func scanIndexValues(
        _ index: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        expecting count: Int?,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        let state = try copyOfState()
        try state.root.scanIndexValues(
            index,
            range,
            direction,
            expecting: count,
            reading: state.log,
            visit
        )
    }

    @_specialize(where Log == FrameLog)
    @_specialize(where Log == MemoryLog)
    package func scanKeys(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        try copyOfState().root.scanKeys(range, direction, visit)
    }

    package func scanIndex(
        _ index: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan) throws -> Bool
    ) throws {
        try copyOfState().root.scanIndex(index, range, direction, visit)
    }

    package func scanIndex(
        _ index: String,
        at indexKey: [UInt8],
        _ keys: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        try copyOfState().root.scanIndex(index, at: indexKey, keys, direction, visit)
    }
}
