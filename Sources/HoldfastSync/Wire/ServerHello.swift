/// The answer to `GET sync/hello`: who is there and what it allows.
///
/// It is the probe of reachability too: a captive portal cannot give it.
public struct ServerHello: Hashable, Sendable {
    /// The dataset.
    public var dataset: DatasetID
    /// Its history.
    public var epoch: EpochID
    /// The newest version of the history before that this epoch goes on from, 0 in the first: what a
    /// client has from another epoch above it is not known here.
    public var epochStart: RecordVersion
    /// The versions of the protocol that the server speaks.
    public var protocols: ClosedRange<Int>
    /// The versions of the app's schema that the server takes; `nil` for any.
    public var schemas: ClosedRange<Int>?
    /// The scopes that the principal sees.
    public var scopes: [ScopeName]
    /// The greatest number of mutations in a push.
    public var maximumOperations: Int
    /// The greatest size of a push, in bytes.
    public var maximumBytes: Int
    /// The greatest number of changes or records in a page.
    public var maximumPage: Int
    /// How long the result of a mutation is kept for a client that does not acknowledge it.
    public var keyRetention: Duration
    /// The version below which tombstones have been purged.
    public var floor: RecordVersion

    /// An answer.
    public init(
        dataset: DatasetID,
        epoch: EpochID,
        epochStart: RecordVersion = RecordVersion(0),
        protocols: ClosedRange<Int> = 1...1,
        schemas: ClosedRange<Int>? = nil,
        scopes: [ScopeName],
        maximumOperations: Int = 500,
        maximumBytes: Int = 1 << 20,
        maximumPage: Int = 5_000,
        keyRetention: Duration = .seconds(90 * 86_400),
        floor: RecordVersion = RecordVersion(0)
    ) {
        self.dataset = dataset
        self.epoch = epoch
        self.epochStart = epochStart
        self.protocols = protocols
        self.schemas = schemas
        self.scopes = scopes
        self.maximumOperations = maximumOperations
        self.maximumBytes = maximumBytes
        self.maximumPage = maximumPage
        self.keyRetention = keyRetention
        self.floor = floor
    }
}
