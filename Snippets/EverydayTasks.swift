import Foundation
import Holdfast

struct Player: Record {
    static let table: TableName = "players"
    var id = RecordID.make()
    var name = ""
    var score = 0
    var team: RecordID?
}

struct Team: Record {
    static let table: TableName = "teams"
    var id = RecordID.make()
    var name = ""
}

// Open, with what used to be CREATE TABLE or a model container.
let schema = Schema(version: 1) {
    Table(Team.self)
    Table(Player.self) {
        Index("score")
        Index("name", unique: true)
        Reference("team", to: Team.self, onDelete: .nullify)
    }
}
let store = try await Store(storage: MemoryStorage(), schema: schema)

// Insert, and insert or replace.
try await store.write { transaction in
    try transaction.put(Team(id: "red", name: "Red"))
    try transaction.put(Player(id: "ada", name: "Ada", score: 10, team: "red"))
    try transaction.put(Player(id: "alan", name: "Alan", score: 7, team: "red"))
    try transaction.put(Player(id: "grace", name: "Grace", score: 12))
}

// Fetch one, fetch many.
let ada = try store.read { try $0.get(Player.self, "ada") }
let best = try store.read { transaction in
    try transaction.fetch(Player.query.order(by: "score", .descending).limit(2))
}
print("best:", best.map(\.name), "Ada:", ada?.score ?? 0)

// Update one.
try await store.write { transaction in
    guard var player = try transaction.get(Player.self, "ada") else { return }
    player.score += 5
    try transaction.put(player)
}

// Update many.
try await store.write { transaction in
    for var player in try transaction.fetch(Player.query.where("score", .isLess, 10)) {
        player.score = 10
        try transaction.put(player)
    }
}

// Delete one, delete many.
try await store.write { transaction in
    try transaction.delete(Player.self, "grace")
    for player in try transaction.fetch(Player.query.where("score", .equals, 0)) {
        try transaction.delete(Player.self, player.id)
    }
}

// A join: two queries in one read, which see the same state.
let roster = try store.read { transaction in
    try transaction.fetch(Player.query.order(by: "name")).map { player in
        let team = try player.team.flatMap { try transaction.get(Team.self, $0) }
        return "\(player.name) (\(team?.name ?? "no team"), \(player.score))"
    }
}
print("roster:", roster)

// What a team has: the reference's index finds it.
let reds = try store.read { transaction in
    try transaction.fetch(Player.query.where("team", .equals, "red")).map(\.name)
}
print("reds:", reds.sorted())

// Count by group: visit once, count in Swift.
let counts = try store.read { transaction in
    var counts: [String: Int] = [:]
    _ = try transaction.forEach(Player.query) { player in
        counts[player.team?.text ?? "none", default: 0] += 1
        return true
    }
    return counts
}
print("counts:", counts)

// Undo: keep what was there, and put it back.
let removed = try await store.write { transaction in
    let player = try transaction.get(Player.self, "alan")
    try transaction.delete(Player.self, "alan")
    return player
}
if let removed {
    try await store.write { transaction in
        try transaction.put(removed)
    }
}
print("players:", try store.read { try $0.count(of: "players") })
