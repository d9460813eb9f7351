import Holdfast
import HoldfastTesting
import Testing

/// The check of an app's crash safety finds what an app can do wrong, and nothing else.
struct CrashCheckTests {
    private struct Wrong: Error {}

    private static func fill(_ store: Store) async throws {
        try await store.write { transaction in
            for id in ["ada", "ben"] {
                try transaction.put(["id": .string(id), "sum": 50], in: "accounts")
            }
        }
    }

    private static func add(
        _ amount: Int64,
        to id: RecordID,
        _ transaction: inout WriteTransaction
    ) throws {
        var account = try transaction.get(id, in: "accounts") ?? [:]
        guard case .integer(let sum)? = account["sum"] else { throw Wrong() }
        account["sum"] = .integer(sum + amount)
        try transaction.put(account, in: "accounts")
    }

    private static func sums(_ store: Store) throws -> [Int64] {
        try store.read { try $0.fetch(Query("accounts")) }.compactMap { account in
            guard case .integer(let sum)? = account["sum"] else { return nil }
            return sum
        }
    }

    private static func requireSum(_ store: Store) throws {
        guard try sums(store).reduce(0, +) == 100 else { throw Wrong() }
    }

    private static let check = CrashCheck(limit: 150)
        .preparing { try await fill($0) }
        .checking("the sum is 100") { try requireSum($0) }

    @Test func workThatBelongsTogetherInOneTransactionPasses() async throws {
        let report = try await Self.check.run { session in
            for amount in 1...4 as ClosedRange<Int64> {
                try await session.store.write(amount < 3 ? .synced : .buffered) { transaction in
                    try Self.add(-amount, to: "ada", &transaction)
                    try Self.add(amount, to: "ben", &transaction)
                }
                await session.wait(.milliseconds(20))
            }
            try await session.reopen()
            await session.wait(.seconds(1))
            session.promise("all is moved") { store in
                guard try Self.sums(store) == [40, 60] else { throw Wrong() }
            }
        }
        #expect(report.commits == 4)
        #expect(report.states > 60)
        #expect(report.crashedRecoveries > 10)
    }

    @Test func workInTwoTransactionsIsFoundByItsInvariant() async throws {
        let violation = await #expect(throws: CrashViolation.self) {
            try await Self.check.run { session in
                try await session.store.write { try Self.add(-1, to: "ada", &$0) }
                try await session.store.write { try Self.add(1, to: "ben", &$0) }
            }
        }
        #expect(violation?.finding.contains("the sum is 100") == true)
        #expect(violation?.trail.isEmpty == false)
        #expect(violation?.isLoss == false)
    }

    @Test func aPromiseOnABufferedTransactionIsFound() async throws {
        let violation = await #expect(throws: CrashViolation.self) {
            try await Self.check.run { session in
                try await session.store.write(.buffered) { transaction in
                    try transaction.put(["id": "eva", "sum": 0], in: "accounts")
                }
                session.promise("eva has an account") { store in
                    guard try Self.sums(store).count == 3 else { throw Wrong() }
                }
            }
        }
        #expect(violation?.isLoss == true)
    }

    @Test func aPromiseThatIsTakenBackBindsNoLonger() async throws {
        try await Self.check.run { session in
            session.promise("ada has an account") { store in
                guard try store.read({ try $0.get("ada", in: "accounts") }) != nil else {
                    throw Wrong()
                }
            }
            session.withdraw("ada has an account")
            try await session.store.write { transaction in
                try Self.add(50, to: "ben", &transaction)
                try transaction.delete("ada", in: "accounts")
            }
        }
    }

    @Test func whatTheWorkThrowsComesBack() async throws {
        await #expect(throws: Wrong.self) { try await Self.check.run { _ in throw Wrong() } }
    }

    @Test func workOfManyTasksIsCheckedToo() async throws {
        let report = try await CrashCheck(limit: 100).run { session in
            let store = session.store
            let writers = (0..<12).map { number in
                Task {
                    try await store.write(number % 2 == 0 ? .synced : .buffered) { transaction in
                        _ = try transaction.put(["id": .string("\(number)")], in: "notes")
                    }
                }
            }
            for writer in writers { try await writer.value }
        }
        #expect(report.commits == 12)
    }
}
