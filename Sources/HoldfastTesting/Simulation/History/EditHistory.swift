import Holdfast
import HoldfastStorage
import HoldfastSync

/// What everybody did and had seen when they did it: the model that a simulation's outcome is
/// compared with.
///
/// It knows nothing of how syncing works. It sees what each author commits and reads, and concludes
/// from that which edits each edit could take into account: values tell, since most are unique.
struct EditHistory: Sendable {
    private(set) var edits: [Edit] = []
    private(set) var views: [AuthorView]
    private var byRecord: [RecordReference: [Int]] = [:]
    /// What a server that was set back has lost and a replica had read.
    private var held: Set<Int> = []

    /// The history of so many replicas and the server, which is author 0.
    init(replicas: Int) { views = Array(repeating: AuthorView(), count: replicas + 1) }

    /// The records that anybody has edited, in order.
    var records: [RecordReference] {
        byRecord.keys.sorted { ($0.table, $0.id) < ($1.table, $1.id) }
    }

    /// The edits of a record, in the order in which they were made.
    func edits(of record: RecordReference) -> [Edit] {
        (byRecord[record] ?? []).map { edits[$0] }
    }

    /// An author has changed a record.
    mutating func edit(
        _ record: RecordReference,
        to object: JSONObject?,
        by author: Int,
        at sequence: SequenceNumber
    ) {
        let before = views[author].records[record]
        guard before != object else { return }
        let edit = Edit(
            number: edits.count,
            author: author,
            record: record,
            before: before,
            after: object,
            sequence: sequence,
            known: views[author].known(of: record, sure: true),
            mayBeKnown: views[author].known(of: record, sure: false)
        )
        edits.append(edit)
        byRecord[record, default: []].append(edit.number)
        views[author].show(object, as: record, at: sequence)
        views[author].learn([edit.number], of: record, sure: true, at: sequence)
    }

    /// An author reads a record in another state, which is not its own doing.
    mutating func show(
        _ object: JSONObject?,
        as record: RecordReference,
        to author: Int,
        at sequence: SequenceNumber
    ) {
        let before = views[author].records[record]
        guard before != object else { return }
        views[author].show(object, as: record, at: sequence)
        guard let object else {
            learnDeletions(of: record, author, sequence)
            return
        }
        guard let numbers = byRecord[record] else { return }
        for change in Edit.changes(from: before ?? [:], to: object) {
            learn(change.field, change.new, from: numbers, author, sequence)
        }
    }

    /// The edits of a record that an author may know of.
    func mayBeKnown(of record: RecordReference, to author: Int) -> Set<Int> {
        views[author].known(of: record, sure: false)
    }

    /// An author was sent a state of a record that may contain these edits, whether or not it is
    /// what is read there.
    mutating func tell(
        _ edits: Set<Int>,
        of record: RecordReference,
        to author: Int,
        at sequence: SequenceNumber
    ) {
        views[author].learn(edits, of: record, sure: false, at: sequence)
    }

    private mutating func learn(
        _ field: String,
        _ value: JSONValue?,
        from numbers: [Int],
        _ author: Int,
        _ sequence: SequenceNumber
    ) {
        let sources = numbers.filter { number in
            edits[number].changes.contains { $0.field == field && $0.new == value }
        }
        let isSure = sources.count == 1 && Self.isTelling(value)
        for source in sources {
            views[author].learn(edits[source], sure: isSure, at: sequence)
        }
    }

    /// Whether a value says whose edit it comes from: a counter has the same one again and again.
    private static func isTelling(_ value: JSONValue?) -> Bool {
        guard case .integer(let number)? = value else { return true }
        return number.magnitude > 1_000_000
    }

    private mutating func learnDeletions(
        of record: RecordReference,
        _ author: Int,
        _ sequence: SequenceNumber
    ) {
        let deletions = (byRecord[record] ?? []).filter { edits[$0].isDeletion }
        for deletion in deletions {
            views[author].learn(edits[deletion], sure: deletions.count == 1, at: sequence)
        }
    }
}

extension EditHistory {
    /// What an author committed up to a number is durable.
    mutating func settle(_ author: Int, through sequence: SequenceNumber) {
        views[author].settle(through: sequence)
    }

    /// A crash has taken an author's commits after a number, which were not durable.
    mutating func lose(_ author: Int, after sequence: SequenceNumber) {
        views[author].revert(to: sequence)
        for number in edits.indices
        where edits[number].author == author && edits[number].sequence > sequence {
            if edits[number].fate == .valid { edits[number].fate = .lost }
        }
    }

    /// An author was set back to an earlier state, in which it saw `view`; what it has done since
    /// may have reached the others or not.
    mutating func setBack(_ author: Int, to view: AuthorView, after sequence: SequenceNumber) {
        views[author] = view
        for number in edits.indices
        where edits[number].author == author && edits[number].sequence > sequence {
            if edits[number].fate == .valid { edits[number].fate = .excused }
        }
    }

    /// The server was set back: of what another device did there may be left what a replica has
    /// read and still sees.
    mutating func setBackServer(to sequence: SequenceNumber, heldBy authors: [Int]) {
        for number in edits.indices
        where edits[number].author == 0 && edits[number].sequence > sequence {
            let isHeld = authors.contains {
                views[$0].known(of: edits[number].record, sure: true).contains(number)
            }
            if !isHeld, edits[number].fate == .valid { edits[number].fate = .excused }
            if isHeld { held.insert(number) }
        }
    }

    /// What the server has lost is lost for good with the last replica that had read it and sees it
    /// still.
    mutating func excuse(whatIsHeldByNoneOf authors: [Int]) {
        for number in held where edits[number].fate == .valid {
            let isHeld = authors.contains {
                views[$0].known(of: edits[number].record, sure: true).contains(number)
            }
            if !isHeld { edits[number].fate = .excused }
        }
    }

    /// What an author knew of a record, whoever did it, needs no longer be accounted for.
    mutating func excuseAll(knownTo author: Int, of record: RecordReference) {
        for number in views[author].known(of: record, sure: false)
        where edits[number].fate == .valid {
            edits[number].fate = .excused
        }
    }

    /// What an author did to a record needs no longer be accounted for.
    mutating func excuse(_ author: Int, of record: RecordReference) {
        for number in byRecord[record] ?? [] where edits[number].author == author {
            if edits[number].fate == .valid { edits[number].fate = .excused }
        }
    }
}
