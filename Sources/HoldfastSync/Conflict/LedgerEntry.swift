public import Holdfast

/// What a decision between two edits discarded, and for what: the durable record that lets the one
/// who lost know it and undo it.
///
/// The mutation that discards carries it, the server stores both together, and every replica of
/// the scope gets it as a record of the table ``table``.
public struct LedgerEntry: Hashable, Sendable {
    /// The table of all entries, in every synced store.
    public static let table: TableName = "holdfast_ledger"

    /// The entry's id, which follows from what was discarded: the same decision, made twice, is one
    /// entry.
    public var id: RecordID
    /// The record that it is about.
    public var record: RecordReference
    /// The field; `nil` for the whole record.
    public var field: String?
    /// What was discarded; `nil` where the field, or the record, would not be there.
    public var discarded: JSONValue?
    /// What stands in its place; `nil` where the field, or the record, is not there.
    public var kept: JSONValue?
    /// The version of the discarded state; `nil` when it never was on the server.
    public var discardedVersion: RecordVersion?
    /// The version of the kept state; `nil` when it was not on the server yet.
    public var keptVersion: RecordVersion?
    /// The rule that decided, such as `serverOrder`.
    public var rule: String
    /// Who made the discarded edit, where that is known.
    public var author: ClientID?
    /// The form that the values are in, as ``ServerChange/form``; 0 where nobody knows.
    public var form: Int

    /// An entry.
    public init(
        id: RecordID,
        record: RecordReference,
        field: String?,
        discarded: JSONValue?,
        kept: JSONValue?,
        discardedVersion: RecordVersion? = nil,
        keptVersion: RecordVersion? = nil,
        rule: String,
        author: ClientID? = nil,
        form: Int = 0
    ) {
        self.id = id
        self.record = record
        self.field = field
        self.discarded = discarded
        self.kept = kept
        self.discardedVersion = discardedVersion
        self.keptVersion = keptVersion
        self.rule = rule
        self.author = author
        self.form = form
    }
}
