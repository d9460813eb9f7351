import Holdfast
import HoldfastStorage
import HoldfastSync

/// What one author sees, and which edits of each record that includes.
struct AuthorView: Sendable {
    /// How an edit came to be known.
    private struct Knowledge: Sendable {
        var isSure: Bool
        /// The author's commit that brought it: it goes when a crash takes that.
        var since: SequenceNumber
    }

    /// One step back in what is seen.
    private struct Undo: Sendable {
        let sequence: SequenceNumber
        let record: RecordReference
        let object: JSONObject?
    }

    /// The records as they are read here.
    private(set) var records: [RecordReference: JSONObject] = [:]
    private var knowledge: [RecordReference: [Int: Knowledge]] = [:]
    private var undos: [Undo] = []

    /// The edits of a record that are known.
    func known(of record: RecordReference, sure: Bool) -> Set<Int> {
        guard let known = knowledge[record] else { return [] }
        return Set(known.lazy.filter { !sure || $0.value.isSure }.map(\.key))
    }

    mutating func show(
        _ object: JSONObject?,
        as record: RecordReference,
        at sequence: SequenceNumber
    ) {
        undos.append(Undo(sequence: sequence, record: record, object: records[record]))
        records[record] = object
    }

    mutating func learn(
        _ edits: some Sequence<Int>,
        of record: RecordReference,
        sure: Bool,
        at sequence: SequenceNumber
    ) {
        Self.learn(edits, sure, sequence, &knowledge[record, default: [:]])
    }

    /// Learns an edit of a record, and what its author may have known.
    mutating func learn(_ edit: Edit, sure: Bool, at sequence: SequenceNumber) {
        func learn(_ known: inout [Int: Knowledge]) {
            if sure { Self.learn(edit.known, true, sequence, &known) }
            Self.learn(CollectionOfOne(edit.number), sure, sequence, &known)
            Self.learn(edit.mayBeKnown, false, sequence, &known)
        }
        learn(&knowledge[edit.record, default: [:]])
    }

    private static func learn(
        _ edits: some Sequence<Int>,
        _ sure: Bool,
        _ sequence: SequenceNumber,
        _ known: inout [Int: Knowledge]
    ) {
        for edit in edits {
            if let old = known[edit], old.isSure || !sure { continue }
            known[edit] = Knowledge(isSure: sure, since: sequence)
        }
    }

    /// What was durable by then cannot be taken back.
    mutating func settle(through sequence: SequenceNumber) {
        undos.removeAll { $0.sequence <= sequence }
    }

    /// Goes back to what was seen after a commit.
    mutating func revert(to sequence: SequenceNumber) {
        while let undo = undos.last, undo.sequence > sequence {
            undos.removeLast()
            records[undo.record] = undo.object
        }
        for (record, known) in knowledge where known.contains(where: { $0.value.since > sequence })
        {
            knowledge[record] = known.filter { $0.value.since <= sequence }
        }
    }

    /// The same at another time: what a backup holds.
    func reverted(to sequence: SequenceNumber) -> AuthorView {
        var view = self
        view.revert(to: sequence)
        return view
    }
}
