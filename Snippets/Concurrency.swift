import Holdfast

struct Account: Record {
    static let table: TableName = "accounts"
    var id = RecordID.make()
    var cents = 0
}

struct NotEnough: Error {}

/// What an app calls: a value over the store, to be used from any task and any actor.
struct Bank: Sendable {
    let store: Store

    func move(_ cents: Int, from source: RecordID, to target: RecordID) async throws -> Int {
        try await store.write { transaction in
            guard var from = try transaction.get(Account.self, source),
                var to = try transaction.get(Account.self, target), from.cents >= cents
            else { throw NotEnough() }
            from.cents -= cents
            to.cents += cents
            try transaction.put(from)
            try transaction.put(to)
            return from.cents
        }
    }

    /// Reads with whatever transaction it is given, reading or writing.
    static func total(_ transaction: borrowing some Transaction & ~Copyable) throws -> Int {
        try transaction.fetch(Account.query).reduce(0) { $0 + $1.cents }
    }
}

let bank = Bank(store: try await Store(storage: MemoryStorage()))
try await bank.store.write { transaction in
    try transaction.put(Account(id: "ada", cents: 100))
    try transaction.put(Account(id: "alan", cents: 0))
}

// Many tasks may write at once: transactions run one after the other.
try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<10 {
        group.addTask { _ = try await bank.move(10, from: "ada", to: "alan") }
    }
    try await group.waitForAll()
}
print("Alan:", try bank.store.read { try $0.get(Account.self, "alan")?.cents ?? 0 })
print("together:", try bank.store.read { try Bank.total($0) })

// A throw rolls everything back.
do {
    _ = try await bank.move(10, from: "ada", to: "alan")
} catch is NotEnough {
    print("still together:", try bank.store.read { try Bank.total($0) })
}

// A savepoint rolls back a part, and the transaction goes on.
try await bank.store.write { transaction in
    try transaction.put(Account(id: "grace", cents: 5))
    try? transaction.attempt { transaction in
        try transaction.delete(Account.self, "grace")
        throw NotEnough()
    }
}
print("Grace:", try bank.store.read { try $0.get(Account.self, "grace")?.cents ?? 0 })

// A task that is cancelled before its commit writes nothing.
let cancelled = Task {
    withUnsafeCurrentTask { $0?.cancel() }
    try await bank.store.write { transaction in
        try transaction.put(Account(id: "edsger", cents: 1))
    }
}
do {
    _ = try await cancelled.value
} catch is CancellationError {
    print("accounts:", try bank.store.read { try $0.count(of: Account.table) })
}
