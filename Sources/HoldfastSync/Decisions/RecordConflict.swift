public import Holdfast

/// Two versions of a record that wait for a decision.
public struct RecordConflict: Hashable, Sendable {
    /// The record.
    public let record: RecordReference
    /// The fields that both sides changed; none where it is about the whole record.
    public let fields: [String]
    /// The record as both sides last agreed on it; `nil` where it was not there.
    public let base: JSONObject?
    /// The record here; `nil` where it is deleted.
    public let local: JSONObject?
    /// The record on the server; `nil` where it is deleted.
    public let remote: JSONObject?
}
