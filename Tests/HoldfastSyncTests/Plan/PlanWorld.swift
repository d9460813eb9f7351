import Holdfast
import HoldfastSync

/// A small world of states: every base, every list of up to three mutations that can stand on it,
/// every state of the server beside it.
struct PlanWorld {
    static let bases: [ServerState] = [
        .absent, .at(3, nil), .at(3, ["id": "n1", "a": 1, "b": 1]),
    ]

    static let remotes: [ServerState] = [
        .absent, .at(2, ["id": "n1", "a": 9]), .at(5, nil), .at(5, ["id": "n1", "a": 1, "b": 1]),
        .at(5, ["id": "n1", "a": 7, "b": 1]), .at(5, ["id": "n1", "a": 1, "b": 7, "c": 7]),
        .at(5, ["id": "n1", "b": 1]), .at(5, ["id": "n1", "a": 2, "b": 2]),
    ]

    static let policies: [FieldPolicy] = [
        .serverOrder, .serverWins, .maximum, .minimum, .counter, .set, .text, .keepBoth,
        .latest(by: "b"), .custom { $0.base }, .custom { $0.local },
    ]

    /// Every list of so many mutations that can stand on a record, each with a key and a place.
    static func lists(on object: JSONObject?, upTo length: Int) -> [[Mutation]] {
        var all: [[Mutation]] = [[]]
        var longest: [[Mutation]] = [[]]
        for place in 0..<length {
            longest = longest.flatMap { list in
                changes(on: list.applied(to: object)).map { change in
                    list + [.queued(change, at: UInt32(place), group: "g\(place)")]
                }
            }
            all += longest
        }
        return all
    }

    private static func changes(on object: JSONObject?) -> [Mutation.Change] {
        guard object != nil else { return [.put(["id": "n1", "a": 2, "c": 2]), .action()] }
        return [
            .put(["id": "n1", "a": 2]), .patch(["a": 2]), .patch(["b": 2], unset: ["a"]),
            .patch(["a": 1]), .delete, .delta(["a": 1]), .action(["b": 8]),
        ]
    }
}
