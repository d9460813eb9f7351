import Holdfast
import HoldfastStorage
import HoldfastTesting

/// Rounds of `hold torture full`: fill the disk, look, delete, and commit again.
final class FullDiskStory {
    private static let table: TableName = "records"
    /// How long commits may be refused after space was freed.
    private static let patience = Duration.seconds(30)

    private let directory: TemporaryDirectory
    private let console: Console
    private var random: SplitMix64
    /// What the store has to hold: the version of each record.
    private var versions: [String: Int] = [:]
    private var nextNumber = 0
    private(set) var report: Report

    init(in parent: String, seed: UInt64, _ console: Console) throws {
        directory = try TemporaryDirectory(prefix: "hold-full", in: parent)
        self.console = console
        random = SplitMix64(seed: seed)
        report = Report(seed: seed)
    }

    private var path: String { "\(directory.path)/store" }

    /// Runs rounds until all are done or one finds something.
    ///
    /// - Throws: ``Failure``, with the place of the store, which is kept; `CancellationError`, when
    ///   it is removed.
    func run(rounds: Int) async throws {
        let progress = console.progress("torture", total: UInt64(rounds))
        do {
            var store = try await Store.open(at: path)
            for round in 0..<rounds {
                try await fill(store)
                if round % 2 == 1 { store = try await reopened(store) }
                try await empty(store)
                try await goOn(store)
                report.rounds += 1
                progress.update(
                    UInt64(report.rounds),
                    "\(report.acknowledged.grouped) acknowledged"
                )
            }
            store = try await reopened(store)
            try await store.close()
            let verification = try JournalVerifier.verify(at: path)
            if let finding = verification.findings.first { throw Failure(finding.line) }
            directory.remove()
        } catch is CancellationError {
            directory.remove()
            throw CancellationError()
        } catch {
            throw Failure("\(error); the store is kept in \(path), seed \(report.seed)")
        }
    }

    /// Commits until one is refused for lack of space.
    private func fill(_ store: Store) async throws {
        while true {
            try Task.checkCancellation()
            let ids = (0...Int(random.next() % 16)).map { _ in nextID() }
            do {
                try await put(ids, into: store)
            } catch let error as StoreError where error.code == .diskFull {
                report.refused += 1
                break
            }
        }
        try check(store)
    }

    /// A new id, or now and then one that is there.
    private func nextID() -> String {
        nextNumber += 1
        let isOld = random.next() % 8 == 0 && nextNumber > 1
        return "record-\(isOld ? Int(random.next() % UInt64(nextNumber)) : nextNumber)"
    }

    private func put(_ ids: [String], into store: Store) async throws {
        let version = nextNumber
        let padding = 200 + Int(random.next() % 6_000)
        let records = ids.map { Self.record($0, version, padding: padding) }
        try await Self.put(records, into: store)
        for id in ids { versions[id] = version }
        report.acknowledged += 1
    }

    private static func put(_ records: [JSONObject], into store: Store) async throws {
        try await store.write { transaction in
            for record in records { try transaction.put(record, in: table) }
        }
    }

    private static func delete(_ ids: [String], from store: Store) async throws {
        try await store.write { transaction in
            for id in ids { try transaction.delete(RecordID(id), in: table) }
        }
    }

    private static func record(_ id: String, _ version: Int, padding: Int) -> JSONObject {
        [
            "id": .string(id),
            "version": .integer(Int64(version)),
            "padding": .string(String(repeating: "x", count: padding)),
        ]
    }

    /// Deletes two thirds of what is there, while the disk is full: nothing of it may be refused.
    private func empty(_ store: Store) async throws {
        var doomed = versions.keys.sorted().filter { _ in random.next() % 3 < 2 }[...]
        while !doomed.isEmpty {
            try Task.checkCancellation()
            let ids = Array(doomed.prefix(1 + Int(random.next() % 40)))
            doomed = doomed.dropFirst(ids.count)
            do {
                try await Self.delete(ids, from: store)
            } catch let error as StoreError where error.code == .diskFull {
                throw Failure("a delete was refused on the full disk: \(error)")
            }
            for id in ids { versions[id] = nil }
            report.deletes += 1
        }
        try check(store)
    }

    /// Commits again, without opening the store anew, as soon as the space is there.
    private func goOn(_ store: Store) async throws {
        for _ in 0..<20 { try await putPatiently(into: store) }
        try check(store)
    }

    /// Commits a record, and waits for the space that compaction is about to give back.
    private func putPatiently(into store: Store) async throws {
        let start = ContinuousClock.now
        while true {
            do {
                try await put([nextID()], into: store)
                break
            } catch let error as StoreError where error.code == .diskFull {
                guard .now - start < Self.patience else {
                    throw Failure(
                        "commits are still refused after two thirds were deleted: \(error)"
                    )
                }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        report.wait = max(report.wait, .now - start)
    }

    private func reopened(_ store: Store) async throws -> Store {
        try await store.close()
        let store = try await Store.open(at: path)
        report.reopened += 1
        try check(store)
        return store
    }

    /// Everything acknowledged is there, and nothing else.
    private func check(_ store: Store) throws {
        let found = try store.read(Self.foundVersions)
        let lost = versions.filter { found[$0.key] != $0.value }.count
        let foreign = found.filter { versions[$0.key] == nil }.count
        report.lost += lost + foreign
        guard lost + foreign == 0 else {
            throw Failure("\(lost) acknowledged records are wrong or gone, \(foreign) came back")
        }
    }

    private static func foundVersions(
        _ transaction: borrowing ReadTransaction
    ) throws -> [String: Int] {
        var found: [String: Int] = [:]
        try transaction.forEach(Query(table)) { id, record in
            guard case .integer(let version)? = record["version"] else { return true }
            found[id.text] = Int(version)
            return true
        }
        return found
    }
}

extension FullDiskStory {
    /// What was seen so far.
    struct Report {
        let seed: UInt64
        var rounds = 0
        var acknowledged = 0
        var refused = 0
        var deletes = 0
        var reopened = 0
        var lost = 0
        /// The longest time that a commit was refused after the deletes.
        var wait = Duration.zero

        /// For a program.
        var object: JSONObject {
            [
                "rounds": .integer(Int64(rounds)),
                "acknowledged": .integer(Int64(acknowledged)),
                "refused": .integer(Int64(refused)),
                "deletes": .integer(Int64(deletes)),
                "reopened": .integer(Int64(reopened)),
                "lost": .integer(Int64(lost)),
                "wait": .double(wait.seconds),
                "seed": .string(String(seed)),
            ]
        }

        /// For a person.
        var lines: [String] {
            [
                "rounds        \(rounds.grouped)",
                "acknowledged  \(acknowledged.grouped) transactions",
                "refused       \(refused.grouped) for lack of space",
                "deletes       \(deletes.grouped) transactions on the full disk",
                "reopened      \(reopened.grouped) times",
                "lost          \(lost.grouped) (must be 0)",
                "waited        \((wait.seconds * 1_000).rounded1) ms at most to commit again",
                "seed          \(seed)",
            ]
        }
    }
}
