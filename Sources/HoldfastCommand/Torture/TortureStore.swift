import Holdfast
import HoldfastStorage

/// One store of `hold torture kill`, for a dozen rounds: start a child, kill it, and look at what
/// it left.
struct TortureStore {
    /// What stopped the rounds.
    struct Problem: Sendable {
        let round: Int
        let finding: String
    }

    private let path: String
    private let seed: UInt64
    private let rounds: Range<Int>
    private let workload: TortureWorkload
    private var model: TortureModel
    /// Whether a child has opened the store, so that it has to be there.
    private var isCreated = false
    private(set) var report = TortureReport()
    private(set) var problem: Problem?

    /// - Parameters:
    ///   - number: Which store of the campaign it is.
    ///   - directory: Where it is made.
    ///   - seed: What the campaign follows from.
    ///   - rounds: How many rounds the campaign has.
    init(_ number: Int, in directory: String, seed: UInt64, rounds: Int) {
        path = "\(directory)/store-\(number)"
        self.seed = seed
        let first = number * TortureRound.roundsPerStore
        self.rounds = first..<min(rounds, first + TortureRound.roundsPerStore)
        workload = TortureWorkload(seed: seed, shape: TortureShape(store: number, seed: seed))
        model = TortureModel(workload, tasks: 1 + number % 6)
    }

    /// Runs its rounds until one finds something; only then the store is kept.
    ///
    /// - Throws: `CancellationError`.
    mutating func run() async throws {
        for number in rounds {
            do {
                try await run(TortureRound(number, seed: seed))
                if !report.findings.isClean { throw Failure("data is lost or damaged") }
            } catch let error as CancellationError {
                throw error
            } catch {
                if report.findings.isClean { report.findings.unreadable = 1 }
                problem = Problem(
                    round: number,
                    finding: "round \(number): \(error); the store is kept in \(path)"
                )
                return
            }
        }
        TemporaryDirectory.remove(path)
    }

    private mutating func run(_ round: TortureRound) async throws {
        var child = try TortureChild(path: path, workload, after: model.lastNumbers)
        let acknowledgements = try child.run(until: round.killPoint)
        isCreated = isCreated || acknowledgements.isOpen
        report.rounds += 1
        report.acknowledged += acknowledgements.count
        let records = try await records(round.inspection)
        report.findings = model.check(records, acknowledged: acknowledgements.lastNumbers)
    }

    private func records(_ inspection: TortureRound.Inspection) async throws -> [String: JSONObject]
    {
        do {
            let access: StoreOptions.Access = inspection == .recovering ? .create : .read
            let records = try await read(access)
            if inspection == .recovering { try verify() }
            return records
        } catch let error as StoreError where Self.isUnmade(error) && !isCreated {
            return [:]
        }
    }

    private func read(_ access: StoreOptions.Access) async throws -> [String: JSONObject] {
        let options = StoreOptions(access: access, journal: workload.shape.journal)
        let store = try await Store.open(at: path, options: options)
        let records: [String: JSONObject]
        do {
            records = try store.read(Self.records)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return records
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
