public import Holdfast

/// A field that was changed here and elsewhere since both sides agreed.
public struct FieldConflict: Hashable, Sendable {
    /// The record.
    public let record: RecordReference
    /// The field.
    public let field: String
    /// The value that both sides last agreed on; `nil` where there was none.
    public let base: JSONValue?
    /// The value here; `nil` where the field was removed.
    public let local: JSONValue?
    /// The value on the server; `nil` where the field was removed.
    public let remote: JSONValue?

    /// A conflict.
    public init(
        record: RecordReference,
        field: String,
        base: JSONValue?,
        local: JSONValue?,
        remote: JSONValue?
    ) {
        self.record = record
        self.field = field
        self.base = base
        self.local = local
        self.remote = remote
    }
}
