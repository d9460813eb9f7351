public import HoldfastSync

/// A page of an API's history.
public struct RESTPage: Hashable, Sendable {
    /// The records that changed, each at most once; the app's own writes may be among them.
    public var records: [RESTRecord]
    /// The position behind the page.
    public var cursor: String
    /// Whether there is more now.
    public var hasMore: Bool

    /// A page.
    public init(records: [RESTRecord], cursor: String, hasMore: Bool) {
        self.records = records
        self.cursor = cursor
        self.hasMore = hasMore
    }
}

/// A page of everything that an API has.
public struct RESTSnapshotPage: Hashable, Sendable {
    /// The records.
    public var records: [RESTRecord]
    /// Where the next page begins; `nil` on the last one.
    public var next: String?
    /// The position in the history when the first page was made, the same on each.
    public var cursor: String
    /// The newest version of any record when the first page was made, the same on each: what a store
    /// has with a version up to here, and no page has, is deleted.
    public var head: RecordVersion

    /// A page.
    public init(
        records: [RESTRecord],
        next: String?,
        cursor: String,
        head: RecordVersion
    ) {
        self.records = records
        self.next = next
        self.cursor = cursor
        self.head = head
    }
}
