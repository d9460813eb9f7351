/// What a put did.
public struct PutResult: Hashable, Sendable {
    /// The record's id: given, its own, or minted.
    public let id: RecordID
    /// Whether a record with this id was there before.
    public let replaced: Bool
}
