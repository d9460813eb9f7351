/// What has to be true of syncing, whatever happens.
public enum SimulationRule: String, Hashable, Sendable, CaseIterable {
    /// Each committed change is pending, acknowledged, replaced or discarded.
    case changesAreKept = "I1"
    /// A mutation has one effect at most.
    case oneEffectPerMutation = "I2"
    /// At rest the replicas equal the server, and each edit is there, or in the ledger.
    case editsAreAccountedFor = "I3"
    /// What was deleted lives again only where an edit says so.
    case deletedStaysDeleted = "I4"
    /// Cursors and bases never go back.
    case progressIsKept = "I5"
    /// A page that is applied twice changes nothing the second time.
    case pagesAreIdempotent = "I6"
    /// Reads see what was written here, and never go back.
    case readsSeeWrites = "I7"
    /// The mutations of a record keep their order, and groups stay whole.
    case orderIsKept = "I8"
    /// The status follows from the state, and says "synced" only where all is confirmed.
    case statusIsHonest = "I9"
    /// What a watcher was shown last is what a query gives.
    case watchersAreCurrent = "I10"
    /// A crash leaves a prefix of the commits, and the outbox that belongs to it.
    case crashesLeaveAPrefix = "I11"
    /// No request carries one account's change with another's token.
    case accountsAreApart = "I12"
    /// No outcome depends on a device's clock.
    case clocksDoNotMatter = "I13"
    /// The same seed gives the same run.
    case runsRepeat = "I14"
    /// All comes to rest soon after the last write.
    case itComesToRest = "L1"
    /// What failed is tried again on the clock alone.
    case failuresAreRetried = "L2"
    /// Nothing is sent again and again without waiting.
    case retriesWait = "L3"
    /// Pulling goes on while pushing does not.
    case pullsGoOn = "L4"

    /// The rule in a few words.
    public var promise: String {
        switch self {
        case .changesAreKept: "no change is forgotten"
        case .oneEffectPerMutation: "one effect for each mutation"
        case .editsAreAccountedFor: "replicas are equal and edits accounted for"
        case .deletedStaysDeleted: "what is deleted stays deleted"
        case .progressIsKept: "progress is kept"
        case .pagesAreIdempotent: "pages can be applied again"
        case .readsSeeWrites: "reads see writes"
        case .orderIsKept: "order is kept and groups are whole"
        case .statusIsHonest: "the status is honest"
        case .watchersAreCurrent: "watchers are current"
        case .crashesLeaveAPrefix: "a crash leaves a prefix"
        case .accountsAreApart: "accounts are apart"
        case .clocksDoNotMatter: "clocks do not matter"
        case .runsRepeat: "the same seed gives the same run"
        case .itComesToRest: "all comes to rest"
        case .failuresAreRetried: "failures are retried"
        case .retriesWait: "retries wait"
        case .pullsGoOn: "pulls go on"
        }
    }
}
