import Holdfast
import HoldfastTesting
import Testing

/// An id is one and the same however it came to be.
@Suite struct RecordIDFormTests {
    private static let texts = [
        "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "0190a5c4-7e2f-7d3a-8b1c-0242ac120002", "0190A5C4-7E2F-7D3A-8B1C-0242AC120002",
        "0190a5c4-7e2f-7d3a-8b1c-0242ac12000", "0190a5c4-7e2f-7d3a-8b1c-0242ac120002 ",
        "0190a5c47e2f7d3a8b1c0242ac120002", "0190a5c4-7e2f-7d3a-8b1c-0242ac12000g", "a", "1",
        "2026-01-02T03:04:05Z",
    ]

    @Test func textsComeBackAsTheyWereAndOrderByTheirBytes() throws {
        for first in Self.texts {
            let id = try RecordID(first)
            #expect(id.text == first)
            #expect(id.description == first)
            for second in Self.texts {
                let other = try RecordID(second)
                #expect((id == other) == (first == second))
                #expect((id < other) == first.utf8.lexicographicallyPrecedes(second.utf8))
                if id == other { #expect(id.hashValue == other.hashValue) }
            }
        }
    }

    @Test func aRecordIsFoundUnderItsIDByEveryWayToIt() async throws {
        struct Item: Record {
            static let table: TableName = "items"
            var id = RecordID.make()
        }
        let store = try await Store(storage: MemoryStorage())
        for text in Self.texts {
            let id = try RecordID(text)
            try await store.write { transaction in
                try transaction.put(Item(id: id))
                try transaction.put(["id": .string(text)], in: "objects")
            }
            try store.read { (transaction) throws in
                #expect(try transaction.get(Item.self, id)?.id == id)
                #expect(try transaction.get(id, in: "items")?["id"] == .string(text))
                #expect(try transaction.get(id, in: "objects")?["id"] == .string(text))
                #expect(
                    try transaction.fetch(Item.query.where("id", .equals, .string(text))).map(\.id)
                        == [id]
                )
            }
        }
        let visited = try store.read { transaction in
            var ids: [RecordID] = []
            try transaction.forEach(Query("items")) { id, _ in
                ids.append(id)
                return true
            }
            return ids
        }
        #expect(visited == visited.sorted())
        #expect(Set(visited.map(\.text)) == Set(Self.texts))
        #expect(try store.commits(after: .zero).flatMap(\.changes).map(\.id).count == 22)
    }

    @Test func mintedIDsAreWhatTheirTextSays() throws {
        for _ in 0..<1_000 {
            let id = RecordID.make()
            #expect(try RecordID(id.text) == id)
            #expect(id.text.utf8.count == 36)
        }
    }
}
