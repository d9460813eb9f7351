/// What a sync that failed leaves behind.
///
/// In no case does a second sync make the lost data durable, though it may say so.
public enum FailedSync: Hashable, Sendable, CaseIterable {
    /// The cache keeps the new data and holds it for clean; the medium has the old.
    case pagesKept
    /// The cache has gone back to what the medium has; the file keeps its size.
    case pagesReverted
    /// The medium has every second sector of the new data; the cache shows all of it.
    case partlyWritten
    /// As ``pagesKept``, but this sync says that it succeeded; the file's next one fails.
    case reportedLate
}
