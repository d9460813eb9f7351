import Holdfast
import Observation

struct Message: Record {
    static let table: TableName = "messages"
    var id = RecordID.make()
    var text = ""
    var isRead = false
}

let store = try await Store(storage: MemoryStorage())
let unread = Message.query.where("isRead", .equals, false).order(by: "text")

// Values: the result as it is now, then each one that differs.
try await store.write { transaction in
    try transaction.put(Message(id: "1", text: "Hello"))
}
for try await messages in store.values(unread) {
    print("unread:", messages.map(\.text))
    if messages.isEmpty { break }
    try await store.write { transaction in
        for var message in messages {
            message.isRead = true
            try transaction.put(message)
        }
    }
}

// Changes: every commit, none left out, from any point that the journal still holds.
let start = try store.sequenceNumber
try await store.write { transaction in
    try transaction.put(Message(id: "2", text: "Are you there?"))
    try transaction.delete(Message.self, "1")
}
try await store.write { transaction in
    try transaction.patch("2", in: "messages", with: ["isRead": true])
}
for try await commit in store.changes(after: start) {
    for change in commit.changes {
        print("commit \(commit.sequenceNumber):", change.kind.rawValue, change.id)
    }
    if commit.sequenceNumber == (try store.sequenceNumber) { break }
}

// A live query: an object that views observe.
let live = LiveQuery(Message.query.order(by: "text"), in: store)
while !live.isLoaded { await nextChange { live.isLoaded } }
print("live:", live.rows.map(\.text))
try await store.write { transaction in
    try transaction.put(Message(id: "3", text: "Yes"))
}
while live.rows.count < 2 { await nextChange { live.rows } }
print("live:", live.rows.map(\.text))

/// Returns after what `read` reads has changed, as a user interface would draw again.
@MainActor func nextChange<Value>(of read: @MainActor () -> Value) async {
    await withCheckedContinuation { continuation in
        withObservationTracking {
            _ = read()
        } onChange: {
            Task { @MainActor in continuation.resume() }
        }
    }
}
