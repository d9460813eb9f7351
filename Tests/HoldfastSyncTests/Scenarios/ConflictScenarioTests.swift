import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md: two who edit one record.
@Suite(.timeLimit(.minutes(20))) struct ConflictScenarioTests {
    /// What an editor does.
    private enum Step: CaseIterable { case edit, push, pull }

    /// Every order of two editors' steps, each of which keeps its own order.
    private static let orders: [[Int]] = (0..<64).map { bits in
        (0..<6).map { bits >> $0 & 1 }
    }.filter { $0.reduce(0, +) == 3 }

    @Test("S10: in every order of two editors on one field they end equal, and the loser is told")
    func theLoserIsTold() async throws {
        #expect(Self.orders.count == 20)
        for order in Self.orders {
            let world = try await ScenarioWorld()
            try await world.serverPut(["id": "a", "x": 0])
            let replicas = [try await world.syncedReplica(), try await world.syncedReplica()]
            var next = [0, 0]
            var seen: [JSONValue] = [0, 0]
            for editor in order {
                let replica = replicas[editor]
                switch Step.allCases[next[editor]] {
                case .edit:
                    seen[editor] = try #require(try replica.get("a")?["x"])
                    let value = Int64(editor + 1)
                    try await replica.write {
                        try $0.patch("a", in: "notes", with: ["x": .integer(value)])
                    }
                case .push:
                    try await replica.hold(.push)
                    try await replica.resolve(.push)
                case .pull:
                    if !replica.held.contains(where: { $0.request.kind == .changes }) {
                        try await replica.handle(.trigger(.poke()))
                    }
                    try await replica.resolve(.changes)
                }
                next[editor] += 1
            }
            for replica in replicas + replicas { try await replica.sync() }
            let value = try #require(try world.record("a")?["x"])
            for replica in replicas {
                #expect(try replica.get("a")?["x"] == value, "\(order)")
                #expect(try replica.status.isSynced, "\(order)")
            }
            // Whoever edited on what the other had written has replaced it knowingly.
            let lost = [1, 2].filter { $0 != value }
            let isKnown = value == .integer(1) ? seen[0] == 2 : seen[1] == 1
            let told = try world.ledger
            #expect(told.map(\.discarded) == (isKnown ? [] : lost), "\(order)")
            for replica in replicas { #expect(try replica.ledger == told, "\(order)") }
            if let entry = told.first {
                let loser = replicas[value == .integer(1) ? 1 : 0]
                let name = try loser.store.read { try $0.clientState()?.client }
                #expect(entry.author == name && entry.kept == value, "\(order)")
                // Undoing it is an edit like any other.
                try await loser.write { try UndoCommand.undo(entry.id, nil, in: &$0) }
                for replica in [loser] + replicas { try await replica.sync() }
                for replica in replicas {
                    #expect(try replica.get("a")?["x"] == lost.first, "\(order)")
                }
            }
        }
    }

    /// A note of an app's old version, which does not know what came later.
    private struct OldNote: Record {
        static let table: TableName = "notes"
        var id = RecordID.make()
        var title = ""
    }

    /// The same in the new version.
    private struct NewNote: Record {
        static let table: TableName = "notes"
        var id = RecordID.make()
        var title = ""
        var due: Int?
    }

    @Test("S42: a field cleared on one device is cleared everywhere, and unknown fields are kept")
    func aClearedFieldIsClearedEverywhere() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "title": "t", "due": 5, "color": "red"])
        let (new, old) = (try await world.syncedReplica(), try await world.syncedReplica())
        try await new.write { transaction in
            var note = try #require(try transaction.get(NewNote.self, "a"))
            note.due = nil
            try transaction.put(note)
        }
        try await old.write { transaction in
            var note = try #require(try transaction.get(OldNote.self, "a"))
            note.title = "edited"
            try transaction.put(note)
        }
        for replica in [new, old, new, old] { try await replica.sync() }
        let expected: JSONObject = ["id": "a", "title": "edited", "color": "red"]
        for object in [try new.get("a"), try old.get("a"), try world.record("a")] {
            #expect(object == expected)
        }
        #expect(try world.ledger.isEmpty)
    }
}
