/// The types of the protocol's problems: URIs that name a kind, and need not lead anywhere.
public enum ProblemType {
    /// What all of them begin with.
    public static let base = "https://holdfast.dev/problems/"

    // MARK: About a request

    /// The cursor is of no use any more: take a snapshot.
    public static let cursorExpired = base + "cursor-expired"
    /// The server has another dataset than the client believes.
    public static let datasetChanged = base + "dataset-changed"
    /// The server was restored from a backup, and has another history than the client stands in.
    public static let epochChanged = base + "epoch-changed"
    /// The principal does not see the scope.
    public static let scopeRevoked = base + "scope-revoked"
    /// The request is larger than the server takes.
    public static let tooLarge = base + "too-large"
    /// The token is missing or no longer good.
    public static let unauthorized = base + "unauthorized"

    // MARK: About a mutation

    /// The key was used before, for another mutation.
    public static let keyReused = base + "key-reused"
    /// The record was deleted so long ago that its tombstone is gone, or never was.
    public static let purged = base + "purged"
    /// The record that an action is about is deleted.
    public static let recordDeleted = base + "record-deleted"
    /// A record that this one refers to is deleted.
    public static let parentDeleted = base + "parent-deleted"
    /// A record that this one refers to is not there yet.
    public static let missingParent = base + "missing-parent"
    /// The principal has no room left.
    public static let quota = base + "quota"
    /// The mutation, or the record that it would make, is not valid.
    public static let invalid = base + "invalid"
    /// No handler has the action's name.
    public static let unknownAction = base + "unknown-action"
    /// The mutation was made by a version of the app that is too old.
    public static let upgradeRequired = base + "upgrade-required"
    /// The record is in the form of a newer version of the app than the one that made the mutation.
    public static let olderForm = base + "older-form"
    /// The mutation was made by a version of the app that the server does not know yet.
    public static let schemaAhead = base + "schema-ahead"
    /// The principal may not do this.
    public static let forbidden = base + "forbidden"
    /// Another mutation of the same group could not be applied, so that none was.
    public static let groupFailed = base + "group-failed"
}
