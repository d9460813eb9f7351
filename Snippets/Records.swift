import Foundation
import Holdfast

struct Contact: Record {
    static let table: TableName = "contacts"
    var id = RecordID.make()
    var name = ""
    var address = Address()
    var birthday: Date?
    var labels: [String] = []
}

struct Address: Codable, Sendable {
    var city = ""
    var country = "DE"
}

let store = try await Store(storage: MemoryStorage())

// An older version of the app knew no address and no labels; a newer one has a nickname.
try await store.write { transaction in
    let old: JSONObject = ["id": "ada", "name": "Ada", "nickname": "Countess"]
    try transaction.put(old, in: "contacts")
}
var ada = try store.read { try $0.get(Contact.self, "ada") } ?? Contact()
print(ada.name, ada.address.country, ada.labels)

ada.address.city = "London"
let changed = ada
try await store.write { transaction in
    try transaction.put(changed)
}
let stored = try store.read { try $0.get("ada", in: "contacts") } ?? [:]
print(stored["nickname"] ?? .null, stored["address"] ?? .null)

// A value of another shape is an error that names it; the record is left alone.
try await store.write { transaction in
    try transaction.patch("ada", in: "contacts", with: ["labels": "friend"])
}
do {
    _ = try store.read { try $0.get(Contact.self, "ada") }
} catch let error as StoreError where error.code == .wrongType {
    print(error)
}

// The same table without a type: JSON objects, by the names of their fields.
try await store.write { transaction in
    try transaction.patch("ada", in: "contacts", with: ["labels": ["friend"], "name": "Ada L."])
    try transaction.patch("ada", in: "contacts", with: [:], removing: ["nickname"])
}
let object = try store.read { try $0.first(Query("contacts").where("name", .begins, "Ada")) }
print(object?["name"]?.stringValue ?? "nobody", object?["labels"] ?? .null)

// Ids of one's own: text or a number, in a field of any name.
struct Station: Record {
    static let table: TableName = "stations"
    static let idField = "code"
    var id: RecordID = "none"
    var name = ""

    enum CodingKeys: String, CodingKey {
        case id = "code"
        case name
    }
}

let result = try await store.write { transaction in
    try transaction.put(Station(id: "KXX", name: "King's Cross"))
}
print(result.id, result.replaced)

// A type without natural defaults writes its initializer once.
struct Measurement: Record {
    static let table: TableName = "measurements"
    let id: RecordID
    let celsius: Double
    let takenAt: Date

    init(id: RecordID = .make(), celsius: Double, takenAt: Date) {
        self.id = id
        self.celsius = celsius
        self.takenAt = takenAt
    }

    init() { self.init(celsius: 0, takenAt: .distantPast) }
}

let noon = Date(timeIntervalSince1970: 1_796_040_000)
try await store.write { transaction in
    try transaction.put(Measurement(id: "1", celsius: 4.5, takenAt: noon))
}
print(try store.read { try $0.get("1", in: "measurements")?["takenAt"] } ?? .null)
