import Holdfast

/// The sending of mutations: at most one request at a time.
struct PushLane: Sendable {
    /// A request whose answer has not come.
    struct Flight: Sendable {
        let number: SyncMachine.RequestNumber
        let since: Duration
        let batch: PushBatch
    }

    var flight: Flight?
    /// When something is to be sent; `nil` when nothing asks for it.
    var wantedAt: Duration?
    /// When a request may be tried again.
    var retryAt: Duration?
    var backoff: Backoff
    /// How many mutations a request may have now: fewer after the server found one too large or
    /// wrong.
    var limit: Int
    /// How many bytes a request may have now.
    var byteLimit: Int
    /// How slow the line has been.
    var slowness = Slowness()
    /// How many mutations and bytes a request may have on such a line.
    var batchLimits: (operations: Int, bytes: Int) {
        (slowness.reduced(limit), slowness.reduced(byteLimit))
    }
    /// How often in a row the server failed at a request while it was there.
    var serverErrors = 0
    /// Counted where that mistake is planted alone.
    var countedRetries = 0
    /// Records and groups that are put off, each for its own reason.
    var delays = PushDelays()
    private let configuration: SyncConfiguration

    init(_ configuration: SyncConfiguration) {
        self.configuration = configuration
        backoff = Backoff(base: configuration.backoffBase, cap: configuration.backoffCap)
        limit = configuration.batchOperations
        byteLimit = configuration.batchBytes
    }

    /// Something is to be sent, at this time at the latest.
    mutating func want(at time: Duration) { wantedAt = min(wantedAt ?? time, time) }

    /// Whatever made it wait is over.
    mutating func retryNow() {
        backoff.succeed()
        retryAt = nil
        serverErrors = 0
        delays = PushDelays()
    }

    /// Requests may be as large again as the configuration and the server say.
    mutating func restoreLimits(_ hello: ServerHello?) {
        limit = max(1, min(configuration.batchOperations, hello?.maximumOperations ?? .max))
        byteLimit = max(1, min(configuration.batchBytes, hello?.maximumBytes ?? .max))
    }

    /// A request went well: the next one may be larger.
    mutating func grow(_ hello: ServerHello?) {
        let (limit, byteLimit) = (limit, byteLimit)
        restoreLimits(hello)
        self.limit = min(self.limit, limit * 2)
        self.byteLimit = min(self.byteLimit, byteLimit * 2)
    }

    /// When the next request is due; `nil` when none is.
    func dueAt(after network: Duration?) -> Duration? {
        guard flight == nil, let wantedAt else { return nil }
        return max(wantedAt, retryAt ?? wantedAt, network ?? wantedAt)
    }
}
