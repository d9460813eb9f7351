import Holdfast
import Testing

private enum Shape: Codable {
    case circle(radius: Int)
    case square(side: Int)
}

private struct Style: Codable {
    var colour = "red"
    var width: Int?
    var shape = Shape.circle(radius: 1)
}

private struct Drawing: Record {
    static let table: TableName = "drawings"
    var id: RecordID = "a"
    var style = Style()
    var styles: [Style] = []
    var byName: [String: Style] = [:]
    var counts: [String: Int] = [:]
    var raw: JSONObject = [:]
}

@Suite struct NestedFieldTests {
    /// Stores a record, reads it as the type, changes it and writes it back.
    private func rewrite(
        _ style: JSONObject,
        with others: JSONObject = [:],
        _ change: (inout Drawing) -> Void
    ) async throws -> JSONObject {
        let store = try await Store(storage: MemoryStorage())
        var record: JSONObject = ["id": "a", "style": .object(style)]
        for (name, value) in others { record[name] = value }
        try await store.write { _ = try $0.put(record, in: "drawings") }
        var drawing = try #require(try store.read { try $0.get(Drawing.self, "a") })
        change(&drawing)
        let changed = drawing
        try await store.write { _ = try $0.put(changed) }
        return try #require(try store.read { try $0.get("a", in: "drawings") })
    }

    private let style: JSONObject = [
        "later": [1, 2], "colour": "blue", "width": 2,
        "shape": ["circle": ["radius": 3, "unit": "cm"]],
    ]

    @Test func fieldsOfAStructInsideThatTheTypeDoesNotKnowAreKept() async throws {
        let record = try await rewrite(style) { $0.style.colour = "green" }
        #expect(
            record["style"] == [
                "later": [1, 2], "colour": "green", "width": 2,
                "shape": ["circle": ["radius": 3, "unit": "cm"]],
            ]
        )
    }

    @Test func aKnownFieldOfAStructInsideThatIsLeftOutIsRemoved() async throws {
        let record = try await rewrite(style) { drawing in
            drawing.style.width = nil
            drawing.style.shape = .square(side: 4)
        }
        #expect(
            record["style"] == [
                "later": [1, 2], "colour": "blue", "shape": ["square": ["side": 4]],
            ]
        )
    }

    @Test func entriesOfDictionariesThatAreTakenOutAreGone() async throws {
        let others: JSONObject = [
            "byName": ["x": .object(style), "y": .object(style)], "counts": ["a": 1, "b": 2],
        ]
        let record = try await rewrite(style, with: others) { drawing in
            drawing.byName["x"] = nil
            drawing.byName["y"]?.width = 9
            drawing.counts = ["b": 3]
        }
        #expect(
            record["byName"] == [
                "y": [
                    "later": [1, 2], "colour": "blue", "width": 9,
                    "shape": ["circle": ["radius": 3, "unit": "cm"]],
                ]
            ]
        )
        #expect(record["counts"] == ["b": 3])
    }

    @Test func arraysAndJSONAreWrittenAsAWhole() async throws {
        let others: JSONObject = ["styles": [.object(style)], "raw": ["a": 1, "b": ["c": 2]]]
        let record = try await rewrite(style, with: others) { drawing in
            drawing.styles[0].width = nil
            drawing.raw = ["b": [:]]
        }
        #expect(
            record["styles"] == [["colour": "blue", "shape": ["circle": ["radius": 3]]]]
        )
        #expect(record["raw"] == ["b": [:]])
    }
}
