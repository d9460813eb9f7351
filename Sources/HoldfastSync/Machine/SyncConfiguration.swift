public import Holdfast

/// The sizes and times of sync.
///
/// The defaults suit an app.
public struct SyncConfiguration: Sendable {
    /// The greatest number of mutations in a request, unless the server takes fewer.
    ///
    /// The default is 500.
    public var batchOperations = 500
    /// The greatest size of a request's mutations in bytes, unless the server takes less.
    ///
    /// The default is 1 MiB.
    public var batchBytes = 1 << 20
    /// The greatest number of changes in a page, unless the server gives fewer.
    ///
    /// The default is 5,000.
    public var pageLimit = 5_000
    /// Whether mutations go out in the order of their commits and stop at the first that fails.
    ///
    /// The default is `false`: the order of each record is kept, and records that do not depend on
    /// each other do not wait for each other.
    public var isStrictlyOrdered = false
    /// How long a local write waits for more before it is sent.
    ///
    /// The default is 100 ms.
    public var debounce = Duration.milliseconds(100)
    /// How often the server is asked for changes when nothing else asks.
    ///
    /// The default is a minute.
    public var interval = Duration.seconds(60)
    /// The first delay after a failure: from nothing to this, and twice as much each time.
    ///
    /// The default is 1 s.
    public var backoffBase = Duration.seconds(1)
    /// The greatest delay after failures.
    ///
    /// The default is five minutes.
    public var backoffCap = Duration.seconds(300)
    /// How long a request may take.
    ///
    /// The default is 30 s.
    public var deadline = Duration.seconds(30)
    /// How often a request may lead back to itself without coming further.
    ///
    /// The default is 3.
    public var loopLimit = 3
    /// How many rounds of push and pull one call of `sync()` makes at most.
    ///
    /// The default is 10.
    public var roundLimit = 10
    /// How many live records a pull may remove before it asks, where it is also more than
    /// ``massDeleteShare`` of the scope's.
    ///
    /// The default is 50.
    public var massDeleteCount = 50
    /// Which share of a scope's live records a pull may remove before it asks.
    ///
    /// The default is 0.25.
    public var massDeleteShare = 0.25
    /// The tables that are followed; `nil` for all.
    public var tables: [TableName]?
    /// The scopes that are followed; `nil` for all that the principal sees.
    ///
    /// The records of one that is left are removed, those with changes that wait when these were
    /// sent.
    public var scopes: Set<ScopeName>?
    package var faults: PlantedFaults = []

    /// The defaults.
    public init() {}
}
