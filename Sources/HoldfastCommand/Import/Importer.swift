import Holdfast

/// Brings the records of an input into a table, one durable batch after the other.
///
/// The next batch is parsed while one commits. A batch is acknowledged as soon as it is durable,
/// and before the next one begins to commit.
final class Importer {
    private let plan: ImportPlan
    private let console: Console
    private let progress: ProgressBar
    private var reader: ImportReader
    private var imported = 0
    private var replaced = 0
    private var skipped = 0

    /// Opens the input; the store is not touched.
    init(_ plan: ImportPlan, _ console: Console) throws {
        self.plan = plan
        self.console = console
        reader = try ImportReader(plan)
        progress = console.progress(
            "import",
            total: reader.size,
            besideResults: plan.acknowledgement != nil
        )
    }

    /// Imports everything, or everything before the first bad record, and says how much it was.
    ///
    /// - Throws: What ended it; what came before is committed and acknowledged.
    func run(into store: Store) async throws {
        do {
            try await importBatches(into: store)
        } catch {
            finish()
            throw error
        }
        finish()
    }

    private func importBatches(into store: Store) async throws {
        var committing: Task<ImportOutcome, any Error>?
        while let batch = reader.next(skip: skip) {
            try await account(for: committing)
            try Task.checkCancellation()
            let plan = plan
            committing = Task { try await batch.commitAndAcknowledge(to: store, plan) }
        }
        try await account(for: committing)
        if let failure = reader.failure { throw failure }
    }

    private func account(for committing: Task<ImportOutcome, any Error>?) async throws {
        guard let outcome = try await committing?.value else { return }
        imported += outcome.ids.count
        replaced += outcome.replaced
        progress.update(reader.bytesRead, "\(imported.grouped) records, \(rate) a second")
        if let failure = outcome.unprinted { throw failure }
        for refusal in outcome.refused {
            if !plan.skipsBad { throw refusal }
            skip(refusal)
        }
    }

    private func skip(_ refusal: ImportRefusal) {
        progress.finish()
        console.message("hold: skipped \(refusal)")
        skipped += 1
    }

    private var rate: String {
        Int(Double(imported) / max(progress.elapsed.seconds, 0.001)).grouped
    }

    private func finish() {
        progress.finish()
        console.message("imported \(imported), replaced \(replaced), skipped \(skipped)")
    }
}

extension ImportBatch {
    /// Commits the batch and prints its ids with one `write`.
    fileprivate func commitAndAcknowledge(
        to store: Store,
        _ plan: ImportPlan
    ) async throws -> ImportOutcome {
        var outcome = try await commit(to: store, plan)
        guard let style = plan.acknowledgement else { return outcome }
        do {
            let output = OutputStream(.standardOutput)
            for id in outcome.ids { output.append(try style.line(id)) }
            try output.flush()
        } catch {
            outcome.unprinted = error
        }
        return outcome
    }

    /// Commits the batch; where bad records are not skipped, up to the first that is refused.
    private func commit(to store: Store, _ plan: ImportPlan) async throws -> ImportOutcome {
        try await store.write(.synced) { transaction in
            if let idField = plan.idField {
                try transaction.declare(plan.table, idField: idField)
            }
            var outcome = ImportOutcome()
            outcome.ids.reserveCapacity(items.count)
            for item in items {
                do {
                    let result = try transaction.put(item.record, in: plan.table)
                    outcome.ids.append(result.id)
                    outcome.replaced += result.replaced ? 1 : 0
                } catch let error as StoreError where error.isAboutOneRecord {
                    let refusal = ImportRefusal(place: item.place, reason: error.message)
                    outcome.refused.append(refusal)
                    if !plan.skipsBad { break }
                }
            }
            return outcome
        }
    }
}

extension StoreError {
    /// Whether the transaction goes on without the record that was refused.
    fileprivate var isAboutOneRecord: Bool { code == .invalidID || code == .uniqueConflict }
}
