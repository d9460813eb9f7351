import Holdfast
public import HoldfastSync

/// How an API numbers the states of a record: with whole numbers that grow with each write.
public struct RESTVersions: Sendable {
    /// The version that a response about one record names; `nil` where it names none.
    public let read: @Sendable (RESTResponse) -> RecordVersion?
    /// What `If-Match` has for a version.
    public let tag: @Sendable (RecordVersion) -> String

    /// A numbering.
    ///
    /// - Parameters:
    ///   - read: The version that a response about one record names; `nil` where it names none.
    ///   - tag: What `If-Match` has for a version, with its quotation marks.
    public init(
        read: @escaping @Sendable (RESTResponse) -> RecordVersion?,
        tag: @escaping @Sendable (RecordVersion) -> String = { "\"\($0)\"" }
    ) {
        self.read = read
        self.tag = tag
    }

    /// Entity tags that are numbers: `ETag: "7"` (RFC 9110, 8.8.3).
    public static let entityTags = Self(read: { response in
        var text = Substring(response.header("ETag") ?? "")
        if text.hasPrefix("W/") { text = text.dropFirst(2) }
        guard text.count > 2, text.first == "\"", text.last == "\"" else { return nil }
        return Int64(text.dropFirst().dropLast()).map { RecordVersion($0) }
    })

    /// A field of the record that is a number, which is the entity tag too.
    public static func field(_ name: String) -> Self {
        Self(read: { response in
            response.body?.objectValue?[name]?.integerValue.map { RecordVersion($0) }
        })
    }
}
