import Holdfast
import HoldfastTesting

struct Account: Record {
    static let table: TableName = "accounts"
    var id = RecordID.make()
    var balance = 0
}

/// The part of an app that is tested: it is given its store, and makes none.
struct Bank: Sendable {
    let store: Store

    func transfer(_ amount: Int, from giver: RecordID, to taker: RecordID) async throws {
        try await store.write { transaction in
            try transaction.add(-amount, to: giver)
            try transaction.add(amount, to: taker)
        }
    }

    func balances() throws -> [Int] {
        try store.read { try $0.fetch(Account.query).map(\.balance) }
    }
}

extension WriteTransaction {
    mutating func add(_ amount: Int, to id: RecordID) throws {
        guard var account = try get(Account.self, id) else { return }
        account.balance += amount
        try put(account)
    }
}

/// What a check throws when it finds something.
struct Wrong: Error, CustomStringConvertible {
    let description: String
}

let schema = Schema(version: 1) {
    Table(Account.self) { Index("balance") }
}

/// Money is never made or lost, and a transfer that the app has shown is there, after any crash.
func transfersSurviveEveryCrash() async throws -> CrashCheckReport {
    try await CrashCheck(schema: schema)
        .preparing { store in
            try await store.write { transaction in
                try transaction.put(Account(id: "ada", balance: 60))
                try transaction.put(Account(id: "ben", balance: 40))
            }
        }
        .checking("the sum is 100") { store in
            let balances = try Bank(store: store).balances()
            guard balances.reduce(0, +) == 100 else { throw Wrong(description: "\(balances)") }
        }
        .run { session in
            try await Bank(store: session.store).transfer(10, from: "ada", to: "ben")
            session.promise("the first transfer is there") { store in
                let balances = try Bank(store: store).balances()
                guard balances != [60, 40] else { throw Wrong(description: "\(balances)") }
            }
            try await session.reopen()
            try await Bank(store: session.store).transfer(20, from: "ada", to: "ben")
            await session.wait(.seconds(1))
        }
}
let report = try await transfersSurviveEveryCrash()
print(
    "transfers survive every crash:",
    report.commits,
    "transactions, 100 crashes or more:",
    report.states >= 100
)

/// The same work with its mistake: what was shown as saved was only buffered.
func aBufferedTransferIsNoPromise() async throws {
    try await CrashCheck(schema: schema)
        .preparing { store in
            try await store.write { transaction in
                _ = try transaction.put(Account(id: "ada", balance: 60))
            }
        }
        .run { session in
            try await session.store.write(.buffered) { try $0.add(5, to: "ada") }
            session.promise("the gift is there") { store in
                guard try Bank(store: store).balances() == [65] else {
                    throw Wrong(description: "it is gone")
                }
            }
        }
}
do {
    try await aBufferedTransferIsNoPromise()
} catch let violation as CrashViolation {
    print(violation.finding)
}
