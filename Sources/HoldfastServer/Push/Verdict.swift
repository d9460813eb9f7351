import Holdfast
import HoldfastSync

/// What the protocol's rules say about a mutation that meets a record's state.
enum Verdict: Hashable, Sendable {
    /// The record is so already.
    case noop
    /// It is written.
    case write(Writing)
    /// It is deleted.
    case delete([Overwritten])
    /// The record is in another state than the mutation was made on.
    case conflict(SyncProblem?)
    /// It can never be applied.
    case reject(SyncProblem)
    /// A handler decides, on the state that the caller knew or, where it is merged, on another.
    case call(isMerged: Bool)
}

/// A record as a mutation makes it.
struct Writing: Hashable, Sendable {
    var object: JSONObject
    var touched: Touched
    /// Whether it was made on another state, of which something stays.
    var isMerged: Bool
    /// Newer values than the mutation's base, which it replaces all the same.
    var overwritten: [Overwritten] = []
}

/// A value that a forced write replaces without having known it.
struct Overwritten: Hashable, Sendable {
    /// The field; `nil` for the whole record.
    var field: String?
    var discarded: JSONValue?
    var kept: JSONValue?
    var version: RecordVersion
    var author: ClientID?
}

extension SyncProblem {
    static func invalid(_ detail: String, at field: String? = nil) -> SyncProblem {
        SyncProblem(
            type: ProblemType.invalid,
            detail: detail,
            pointer: field.map { "/" + escaped($0) }
        )
    }

    /// A name in a JSON pointer (RFC 6901).
    static func escaped(_ name: String) -> String {
        var escaped = ""
        for character in name.unicodeScalars {
            switch character {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    static let purged = SyncProblem(
        type: ProblemType.purged,
        detail: "The record is gone: it was deleted long ago, or never came here."
    )
}
