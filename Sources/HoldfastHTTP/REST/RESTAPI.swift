public import Holdfast
public import HoldfastSync

/// An API that exists, as ``RESTTransport`` has to know it.
///
/// ```swift
/// let api = RESTAPI(dataset: DatasetID("api.example.com")) { pull in
///     RESTRequest("changes", query: ["since": pull.cursor ?? "0", "limit": "\(pull.limit)"])
/// } page: { response, pull in
///     let body = response.body?.objectValue ?? [:]
///     let items = body["items"]?.arrayValue ?? []
///     return RESTPage(
///         records: items.compactMap { noteRecord($0) },
///         cursor: body["next"]?.stringValue ?? pull.cursor ?? "0",
///         hasMore: body["more"]?.boolValue ?? false
///     )
/// }
/// ```
///
/// What it needs of the API: ids that the app makes; a version for each record that is a number and
/// grows with each write, never reused by a record that lives again; `PUT` that creates with
/// `If-None-Match: *` and replaces with `If-Match`, and answers 412 or 409 where the condition does
/// not hold; `DELETE` with `If-Match`; and a history of what changed, deletions included, by a
/// position. An API that ignores `If-Match` lets the last one to write win without a word.
public struct RESTAPI: Sendable {
    /// What the API is called in the store: a store that belongs to one never syncs with another.
    public var dataset: DatasetID
    /// The scopes, each with a history of its own.
    public var scopes: [ScopeName] = [ScopeName("all")]
    /// Where a record is, below the base URL; the table and the id unless told otherwise.
    public var path: @Sendable (RecordReference) -> [String] = { [$0.table.text, $0.id.text] }
    /// How records are numbered; by entity tags unless told otherwise.
    public var versions = RESTVersions.entityTags
    /// The record in the body of a response; the body unless told otherwise.
    ///
    /// `nil` where there is none. What the API adds, such as times, may stay in it.
    public var record: @Sendable (JSONValue) -> JSONObject? = { $0.objectValue }
    /// The body that a record is sent as; the record unless told otherwise.
    public var body: @Sendable (JSONObject) -> JSONObject = { $0 }
    /// How some fields of a record are changed; by writing it whole unless told otherwise.
    public var edits = RESTEdits.whole
    /// Whether the API keeps the ledger, as a table like others that is called `holdfast_ledger`.
    ///
    /// Otherwise what a policy discards is gone: use policies that discard nothing which matters, such
    /// as `keepBoth`, `ask` and `custom`.
    public var keepsLedger = false
    /// How many records a page may have at most.
    public var pageLimit = 500
    /// The question for what changed.
    public var changes: @Sendable (RESTPull) -> RESTRequest
    /// The page in its answer; what it throws makes an answer that breaks the rules.
    public var page: @Sendable (RESTResponse, RESTPull) throws -> RESTPage
    /// The question for everything and the page in its answer, where the API has one: it is asked
    /// when the history does not go back far enough, which the API says with 410.
    public var snapshot: Snapshot?

    /// How an API tells everything that it has.
    public struct Snapshot: Sendable {
        /// The question.
        public var request: @Sendable (RESTPull) -> RESTRequest
        /// The page in its answer.
        public var page: @Sendable (RESTResponse, RESTPull) throws -> RESTSnapshotPage

        /// A question, and the page in its answer.
        public init(
            request: @escaping @Sendable (RESTPull) -> RESTRequest,
            page: @escaping @Sendable (RESTResponse, RESTPull) throws -> RESTSnapshotPage
        ) {
            self.request = request
            self.page = page
        }
    }

    /// An API whose records are at `table/id` and are numbered by entity tags.
    ///
    /// - Parameters:
    ///   - dataset: What it is called in the store.
    ///   - changes: The question for what changed.
    ///   - page: The page in its answer.
    public init(
        dataset: DatasetID,
        changes: @escaping @Sendable (RESTPull) -> RESTRequest,
        page: @escaping @Sendable (RESTResponse, RESTPull) throws -> RESTPage
    ) {
        self.dataset = dataset
        self.changes = changes
        self.page = page
    }
}
