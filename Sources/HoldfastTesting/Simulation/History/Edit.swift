import Holdfast
import HoldfastStorage
import HoldfastSync

/// A committed change of one record by one author, and what the author knew of the others'.
struct Edit: Sendable {
    /// What has become of it, as far as that is not for the rules to say.
    enum Fate: Hashable, Sendable {
        /// It has to be accounted for.
        case valid
        /// It was never durable and went with a crash: nobody may see it.
        case lost
        /// It may be there or not: the device was set back to before it, or a person discarded it.
        case excused
    }

    /// A field that it changed.
    struct FieldChange: Sendable {
        let field: String
        let old: JSONValue?
        let new: JSONValue?
    }

    /// Its place among all edits.
    let number: Int
    /// Who made it: 0 for another device that the server serves, else the replica's number plus 1.
    let author: Int
    let record: RecordReference
    let before: JSONObject?
    let after: JSONObject?
    /// The author's commit.
    let sequence: SequenceNumber
    /// The edits of the record whose values the author surely had seen.
    let known: Set<Int>
    /// The edits of the record that the author may have seen.
    let mayBeKnown: Set<Int>
    var fate = Fate.valid
    /// The fields that it changed, in order; of a creation all.
    let changes: [FieldChange]

    init(
        number: Int,
        author: Int,
        record: RecordReference,
        before: JSONObject?,
        after: JSONObject?,
        sequence: SequenceNumber,
        known: Set<Int>,
        mayBeKnown: Set<Int>
    ) {
        self.number = number
        self.author = author
        self.record = record
        self.before = before
        self.after = after
        self.sequence = sequence
        self.known = known
        self.mayBeKnown = mayBeKnown
        changes = after.map { Self.changes(from: before ?? [:], to: $0) } ?? []
    }

    var isDeletion: Bool { after == nil }
    var isCreation: Bool { before == nil }

    static func changes(from before: JSONObject, to after: JSONObject) -> [FieldChange] {
        var changes: [FieldChange] = []
        for (name, value) in after {
            let old = before[name]
            if old != value { changes.append(FieldChange(field: name, old: old, new: value)) }
        }
        for (name, value) in before where after[name] == nil {
            changes.append(FieldChange(field: name, old: value, new: nil))
        }
        return changes
    }
}
