import Holdfast

// Version 1 of the app had one name a person, and called the table "contacts".
let first = Schema(version: 1) {
    Table("contacts") { Index("name") }
}

struct Person: Record {
    static let table: TableName = "people"
    var id = RecordID.make()
    var firstName = ""
    var lastName = ""
    var isPinned = false  // added later: old records are read with the default, without a step
}

// Version 3 is what the app is today; its steps lead from every version that was ever released.
let schema = Schema(version: 3) {
    Table(Person.self) { Index("lastName", "firstName") }
}
.migrate("split name", from: 1) { transaction in
    try transaction.transform("contacts") { contact, _ in
        guard case .string(let name)? = contact["name"] else { return }
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        contact["firstName"] = .string(parts.first ?? "")
        contact["lastName"] = .string(parts.count > 1 ? parts[1] : "")
        contact["name"] = nil
    }
}
.migrate("contacts are people", from: 2) { transaction in
    try transaction.moveTable("contacts", to: "people")
}

var store = try await Store.open(at: "people.holdfast", schema: first)
try await store.write { transaction in
    try transaction.put(["id": "ada", "name": "Ada Lovelace"], in: "contacts")
    try transaction.put(["id": "alan", "name": "Alan Turing"], in: "contacts")
}
try await store.close()

let options = StoreOptions(progress: { print("step \($0.number) of \($0.count): \($0.step)") })
store = try await Store.open(at: "people.holdfast", schema: schema, options: options)
let people = try store.read { transaction in
    try transaction.fetch(Person.query.order(by: "lastName"))
}
for person in people { print("\(person.lastName), \(person.firstName), \(person.isPinned)") }
try await store.close()
