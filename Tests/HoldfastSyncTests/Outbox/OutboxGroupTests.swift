import Holdfast
import HoldfastSync
import Testing

@Suite struct OutboxGroupTests {
    @Test func whatIsAskedForAsOneIsOneGroupOfItsOwn() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { try $0.put(["id": "a", "x": 1], in: "notes") }
        try await outbox.store.write(atomicOnServer: true) { transaction in
            try transaction.patch("a", in: "notes", with: ["x": 2])
            try transaction.put(["id": "b"], in: "notes")
            try transaction.increment("votes", of: "b", in: "notes")
        }
        try await outbox.store.write(atomicOnServer: true) { try $0.put(["id": "c"], in: "notes") }
        try await outbox.store.write { try $0.patch("c", in: "notes", with: ["x": 1]) }
        let groups = try outbox.mutations.map(\.group)
        #expect(groups[0] == nil && groups[5] == nil)
        #expect(groups[1] != nil && groups[1] == groups[2] && groups[2] == groups[3])
        #expect(groups[4] != nil && groups[4] != groups[1])
        #expect(groups.count == 6)
    }

    @Test func aGroupOfTooManyChangesIsRefusedAtItsCommit() async throws {
        let outbox = try await Outbox()
        try await write(500, bytes: 1, to: outbox)
        #expect(try outbox.mutations.count == 500)
        let error = await #expect(throws: SyncError.self) {
            try await write(501, bytes: 1, to: outbox)
        }
        #expect(error?.code == .groupTooLarge)
        #expect(try outbox.mutations.count == 500)
        #expect(try outbox.store.read { try $0.count(of: "notes") } == 500)
    }

    @Test func aGroupOfTooManyBytesIsRefusedAtItsCommit() async throws {
        let outbox = try await Outbox()
        let error = await #expect(throws: SyncError.self) {
            try await write(2, bytes: 1 << 19, to: outbox)
        }
        #expect(error?.code == .groupTooLarge)
        try await write(2, bytes: 500_000, to: outbox)
        #expect(try outbox.mutations.count == 2)
    }

    private func write(_ count: Int, bytes: Int, to outbox: Outbox) async throws {
        let text = String(repeating: "x", count: bytes)
        try await outbox.store.write(atomicOnServer: true) { transaction in
            for number in 0..<count {
                let id = RecordID(Int64(number)).text
                try transaction.put(
                    ["id": .string("\(count)-\(bytes)-\(id)"), "t": .string(text)],
                    in: "notes"
                )
            }
        }
    }

    @Test func editingARecordIsTheRetryOfWhatTheServerRefused() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { try $0.put(["id": "a", "x": 1], in: "notes") }
        try await outbox.refuse("a")
        let refused = try #require(try outbox.mutations.first)
        try await outbox.store.write { try $0.patch("a", in: "notes", with: ["x": 2]) }
        let mutations = try outbox.mutations
        #expect(mutations.map(\.change) == [.put(["id": "a", "x": 2])])
        #expect(mutations[0].state == .queued)
        #expect(mutations[0].key != refused.key)
        #expect(try outbox.store.read { try $0.syncCount(.attention) } == 0)
    }

    @Test func editingARecordOfARefusedGroupCorrectsTheGroupAndRetriesAllOfIt() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write(atomicOnServer: true) { transaction in
            try transaction.put(["id": "a", "x": 1], in: "notes")
            try transaction.put(["id": "b", "x": 1], in: "notes")
        }
        try await outbox.refuse("a")
        try await outbox.refuse("b")
        let refused = try outbox.mutations
        try await outbox.store.write { try $0.patch("a", in: "notes", with: ["x": 2]) }
        let mutations = try outbox.mutations
        #expect(
            mutations.map(\.change) == [
                .put(["id": "a", "x": 2]), .put(["id": "b", "x": 1]),
            ]
        )
        #expect(mutations.map(\.group) == refused.map(\.group))
        #expect(mutations.allSatisfy { $0.state == .queued })
        #expect(Set(mutations.map(\.key)).isDisjoint(with: refused.map(\.key)))
    }
}
