/// What a server keeps: all records of one deployment, under one counter of versions.
public struct DatasetID: Hashable, Sendable {
    /// The text of a UUID, minted when the dataset was made.
    public let text: String

    /// The value with this text.
    public init(_ text: String) { self.text = text }
}

extension DatasetID: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
