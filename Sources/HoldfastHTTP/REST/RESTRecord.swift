public import Holdfast
public import HoldfastSync

/// The newest state of a record, as an API tells it.
public struct RESTRecord: Hashable, Sendable {
    /// The record.
    public var reference: RecordReference
    /// Its version, which grows whenever it is written or deleted.
    public var version: RecordVersion
    /// All of its fields; `nil` where it is deleted.
    public var fields: JSONObject?

    /// A record.
    public init(
        _ reference: RecordReference,
        version: RecordVersion,
        fields: JSONObject?
    ) {
        self.reference = reference
        self.version = version
        self.fields = fields
    }
}
