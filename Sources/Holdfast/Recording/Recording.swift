import HoldfastStorage

/// The writes of a transaction to recorded tables, so far.
struct Recording {
    /// One or more writes of a record, and where the one before stands.
    private struct Entry {
        let key: [UInt8]
        let before: [UInt8]?
        let intent: (any RecordedIntent)?
        let previous: Int?
    }

    let recorder: any TransactionRecorder
    let isAtomicOnServer: Bool
    private var entries: [Entry] = []
    /// The last entry of each record.
    private var last: [[UInt8]: Int] = [:]
    /// What the next write stands for.
    private var intent: (any RecordedIntent)?

    init(_ recorder: any TransactionRecorder, isAtomicOnServer: Bool) {
        self.recorder = recorder
        self.isAtomicOnServer = isAtomicOnServer
    }

    var isEmpty: Bool { entries.isEmpty }

    /// What ``undo(to:)`` goes back to.
    var mark: Int { entries.count }

    /// Notes that a record is about to be written.
    mutating func touch(_ key: [UInt8], in state: StoreState) throws {
        let previous = last[key]
        if intent == nil, let previous, entries[previous].intent == nil { return }
        let before = try state.value(for: key)
        last[key] = entries.count
        entries.append(Entry(key: key, before: before, intent: intent, previous: previous))
        intent = nil
    }

    /// Says what the next write stands for.
    mutating func expect(_ intent: any RecordedIntent) { self.intent = intent }

    /// Forgets what a savepoint took back.
    mutating func undo(to mark: Int) {
        while entries.count > mark, let entry = entries.popLast() {
            last[entry.key] = entry.previous
        }
        intent = nil
    }

    /// What the transaction wrote.
    func writes(in state: StoreState) throws -> RecordedWrites {
        var following: [[UInt8]: [UInt8]?] = [:]
        var writes: [RecordedWrite] = []
        for entry in entries.reversed() {
            let after = try following[entry.key] ?? state.value(for: entry.key)
            following[entry.key] = .some(entry.before)
            if entry.intent == nil, entry.before == after { continue }
            writes.append(
                entry.key.withRawSpan { key in
                    RecordedWrite(
                        table: RecordKey.table(of: key),
                        id: RecordKey.id(of: key),
                        before: entry.before,
                        after: after,
                        intent: entry.intent
                    )
                }
            )
        }
        return RecordedWrites(writes: writes.reversed(), isAtomicOnServer: isAtomicOnServer)
    }
}
