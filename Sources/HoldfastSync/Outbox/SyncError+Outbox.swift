import Holdfast

extension SyncError.Code {
    /// A record of an immutable table was changed; nothing of the transaction remains.
    public static let immutable = Self("immutable")
    /// A record of a table that the server alone writes was written without an action; nothing of
    /// the transaction remains.
    public static let serverAuthoritative = Self("serverAuthoritative")
    /// A group has more than 500 changes or 1 MiB; nothing of the transaction remains.
    public static let groupTooLarge = Self("groupTooLarge")
    /// A number was to be added to what is no number; nothing was written.
    public static let notANumber = Self("notANumber")
    /// An action was called in a table that is not synced; nothing was written.
    public static let notSynced = Self("notSynced")
}

extension SyncError {
    static func immutable(_ record: RecordReference) -> Self {
        Self(
            .immutable,
            "Records of this table are written once: put a new one, or delete it.",
            table: record.table,
            id: record.id
        )
    }

    static func serverAuthoritative(_ record: RecordReference) -> Self {
        Self(
            .serverAuthoritative,
            "The server alone writes this table: call one of its actions with `perform`, and show"
                + " what it will do as the guess.",
            table: record.table,
            id: record.id
        )
    }

    static func groupTooLarge(count: Int, bytes: Int) -> Self {
        Self(
            .groupTooLarge,
            "What is applied by the server as one has at most \(OutboxGroup.maximumCount) changes of"
                + " \(OutboxGroup.maximumBytes) bytes together, and these are \(count) of \(bytes)"
                + " bytes: write less in one transaction, or do not ask for it."
        )
    }
}
