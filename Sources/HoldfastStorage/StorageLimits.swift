/// The engine's fixed limits.
public enum StorageLimits {
    /// The longest key, in bytes: a table name, a separator and an id of 1,024 bytes fit.
    public static let keyBytes = 2_048
    /// The longest key of an index entry, in bytes, without the record's own key behind it.
    public static let indexKeyBytes = 4_096
    /// The largest payload of one transaction, in bytes (1 GiB).
    public static let transactionBytes = 1 << 30
}
