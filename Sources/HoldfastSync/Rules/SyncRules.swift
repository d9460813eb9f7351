/// How a table is synced: what becomes of edits that meet.
///
/// ```swift
/// Table(Note.self) { Index("updatedAt") }
///     .synced(SyncRules(fields: ["body": .text, "votes": .counter]))
/// ```
public struct SyncRules: Sendable {
    /// What may happen to a table's records.
    public enum Kind: Hashable, Sendable {
        /// Everything.
        case mutable
        /// They are written once and deleted at most: a chat, a log. No edit ever meets another.
        case immutable
        /// Local writes are a guess that is shown until the server's answer; only actions are sent.
        case serverAuthoritative
    }

    /// What becomes of a deletion that meets an edit.
    public enum Deletes: Hashable, Sendable {
        /// The record stays, with the edit.
        case editWins
        /// The record is deleted.
        case deleteWins
    }

    /// The policy of fields that have none of their own.
    public var policy: FieldPolicy
    /// The policies of single fields.
    public var fields: [String: FieldPolicy] { didSet { clocks = Self.clocks(of: fields) } }
    /// What becomes of a deletion that meets an edit.
    public var deletes: Deletes
    /// What may happen to the records.
    public var kind: Kind
    /// The table's id field, which no edit changes: the table that the rules are given to sets it.
    package var idField = "id"
    /// What a simulation gets wrong on purpose.
    package var faults: PlantedFaults = []
    /// The fields that other fields' policies read the time from.
    private var clocks: Set<String>

    /// Rules; by default the last edit of a field to arrive wins, and an edit wins over a deletion.
    public init(
        _ policy: FieldPolicy = .serverOrder,
        fields: [String: FieldPolicy] = [:],
        deletes: Deletes = .editWins,
        kind: Kind = .mutable
    ) {
        self.policy = policy
        self.fields = fields
        clocks = Self.clocks(of: fields)
        self.deletes = deletes
        self.kind = kind
    }

    /// The policy of a field.
    ///
    /// A field that ``FieldPolicy/latest(by:)`` reads has that policy too, by its own value, unless it
    /// has one of its own: else a value could win by a time that then is not beside it.
    public subscript(field: String) -> FieldPolicy {
        fields[field] ?? (clocks.contains(field) ? .latest(by: field) : policy)
    }

    private static func clocks(of fields: [String: FieldPolicy]) -> Set<String> {
        Set(
            fields.values.lazy.compactMap {
                if case .latest(let field) = $0.kind { field } else { nil }
            }
        )
    }
}
