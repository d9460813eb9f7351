import Holdfast

extension SyncError.Code {
    /// The engine does not run; start it.
    public static let notRunning = Self("notRunning")
    /// The transport cannot carry what the schema needs.
    public static let unsupported = Self("unsupported")
    /// Sync does not go on until somebody does something; nothing was lost.
    public static let paused = Self("paused")
    /// Some changes or conflicts wait for somebody; nothing was lost.
    public static let needsAttention = Self("needsAttention")
    /// The store belongs to another account; nothing was touched.
    public static let otherAccount = Self("otherAccount")
}

extension SyncError {
    static let notRunning = Self(
        .notRunning,
        "The engine does not run, or was stopped meanwhile: start it. Nothing was lost."
    )

    static func unsupported(_ what: String, _ table: TableName) -> Self {
        Self(
            .unsupported,
            "The transport cannot carry \(what), which the rules of this table need: use another"
                + " transport, or other rules.",
            table: table
        )
    }

    static let otherAccount = Self(
        .otherAccount,
        "The store belongs to another account: open another store for this one, and adopt what it"
            + " should have. Nothing was touched."
    )
}

extension SyncStatus {
    /// What keeps everything from being confirmed until somebody does something; `nil` where time
    /// alone may help.
    var hindrance: SyncError? {
        switch pause {
        case nil, .offline, .unreachable: break
        case let reason?: return SyncError(.paused, "Sync has stopped: \(reason).")
        }
        guard attention > 0 || conflicts > 0 else { return nil }
        return SyncError(.needsAttention, "Not everything can be synced: \(self).")
    }
}

extension Error {
    /// Whether it will not go away by waiting.
    var isFinal: Bool {
        switch self {
        case let error as SyncError: error.code != .paused
        case let error as StoreError: [.closed, .readOnly, .outcomeUnknown].contains(error.code)
        default: false
        }
    }
}
