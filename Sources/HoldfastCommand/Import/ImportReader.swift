/// Reads batches from an input, up to its end or to the first record that cannot be taken.
struct ImportReader: ~Copyable {
    private var input: RecordInput
    private let batchSize: Int
    private let skipsBad: Bool
    /// Why reading ended before the end of the input.
    private(set) var failure: (any Error)?

    init(_ plan: ImportPlan) throws {
        input = try RecordInput(plan.file, plan.format)
        batchSize = plan.batchSize
        skipsBad = plan.skipsBad
    }

    /// The bytes of the whole input; `nil` where that is not known.
    var size: UInt64? { input.size }

    /// How many bytes have been read.
    var bytesRead: UInt64 { input.bytesRead }

    /// The next batch; `nil` when there is none.
    ///
    /// What came before a failure is in a batch. An input that comes slowly gives smaller batches,
    /// so that no record waits for the next one. `skip` is told of each bad record left out.
    mutating func next(skip: (ImportRefusal) -> Void) -> ImportBatch? {
        var batch = ImportBatch()
        let start = input.bytesRead
        while failure == nil, !input.isAtEnd, !isFull(batch, since: start) {
            do {
                guard let record = try input.next(waits: batch.items.isEmpty) else { break }
                try take(record, into: &batch, skip)
            } catch {
                failure = error
            }
        }
        return batch.items.isEmpty ? nil : batch
    }

    private func isFull(_ batch: ImportBatch, since start: UInt64) -> Bool {
        if batch.items.isEmpty { return false }
        return batch.items.count >= batchSize || input.bytesRead - start >= ImportBatch.byteLimit
    }

    private func take(
        _ record: InputRecord,
        into batch: inout ImportBatch,
        _ skip: (ImportRefusal) -> Void
    ) throws {
        switch record {
        case .record(let record, let place):
            batch.items.append(ImportBatch.Item(record: record, place: place))
        case .bad(let place, let reason):
            let refusal = ImportRefusal(place: place, reason: reason)
            if !skipsBad { throw refusal }
            skip(refusal)
        }
    }
}
