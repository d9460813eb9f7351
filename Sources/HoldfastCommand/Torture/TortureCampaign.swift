import Holdfast
import HoldfastStorage

/// Rounds of `hold torture kill`: start a child, kill it, and look at what it left.
final class TortureCampaign {
    private let workload: TortureWorkload
    private let console: Console
    private let directory: TemporaryDirectory
    private(set) var report: TortureReport
    private var storeNumber = 0
    private var model: TortureModel
    /// Whether a child has opened the present store, so that it has to be there.
    private var isCreated = false

    init(seed: UInt64, _ console: Console) throws {
        workload = TortureWorkload(seed: seed)
        self.console = console
        directory = try TemporaryDirectory(prefix: "hold-torture")
        report = TortureReport(seed: seed)
        model = TortureModel(workload, tasks: 1)
    }

    /// Where the present store is.
    private var path: String { "\(directory.path)/store-\(storeNumber)" }

    /// Runs rounds until all are done or one finds something.
    ///
    /// - Throws: ``Failure`` with the place of the store, which is kept; `CancellationError`, when
    ///   everything is removed.
    func run(rounds: Int) async throws {
        let progress = console.progress("torture", total: UInt64(rounds))
        defer { report.elapsed = progress.elapsed }
        do {
            for number in 0..<rounds {
                try await run(TortureRound(number, seed: workload.seed))
                let note = "\(report.acknowledged.grouped) acknowledged"
                progress.update(UInt64(number + 1), note)
                if !report.findings.isClean { throw Failure("round \(number) lost data") }
            }
            directory.remove()
        } catch let error as CancellationError {
            directory.remove()
            throw error
        } catch {
            throw Failure("\(error); the store is kept in \(path), seed \(workload.seed)")
        }
    }

    private func run(_ round: TortureRound) async throws {
        if round.isFirstOfStore { beginStore() }
        var child = try TortureChild(path: path, workload, after: model.lastNumbers)
        let acknowledgements = try child.run(until: round.killPoint)
        isCreated = isCreated || acknowledgements.isOpen
        report.rounds += 1
        report.acknowledged += acknowledgements.count
        let records = try await records(round.inspection)
        report.findings = model.check(records, acknowledged: acknowledgements.lastNumbers)
    }

    private func beginStore() {
        TemporaryDirectory.remove(path)
        storeNumber += 1
        isCreated = false
        model = TortureModel(workload, tasks: 1 + storeNumber % 6)
    }

    private func records(_ inspection: TortureRound.Inspection) async throws -> [String: JSONObject]
    {
        let access: StoreOptions.Access = inspection == .recovering ? .create : .read
        do {
            let records = try await StoreSession.run(at: path, access) { store in
                try store.read(Self.records)
            }
            if inspection == .recovering { try verify() }
            return records
        } catch let error as StoreError where Self.isUnmade(error) && !isCreated {
            return [:]
        }
    }

    private func verify() throws {
        let report = try JournalVerifier.verify(at: path) { _ in try Task.checkCancellation() }
        guard let finding = report.findings.first else { return }
        throw Failure("verifying the closed store found \(finding.line)")
    }

    /// A reader finds no store where the child was killed before it had made one.
    private static func isUnmade(_ error: StoreError) -> Bool {
        error.code == .notFound || error.code == .notAStore
    }

    private static func records(
        _ transaction: borrowing ReadTransaction
    ) throws -> [String: JSONObject] {
        var records: [String: JSONObject] = [:]
        try transaction.forEach(Query(TortureWorkload.table)) { id, record in
            records[id.text] = record
            return true
        }
        return records
    }
}
