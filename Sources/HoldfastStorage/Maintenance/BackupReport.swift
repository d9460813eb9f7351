/// What a backup holds, and what it took.
public struct BackupReport: Hashable, Sendable {
    /// The last commit that is in it.
    public internal(set) var last = SequenceNumber.zero
    /// The number of segments.
    public internal(set) var segments = 0
    /// How many of them are hard links: they share the disk's blocks with the store that they come
    /// from, and its damage.
    public internal(set) var linkedSegments = 0
    /// The bytes of journal that were copied, checked on the way.
    public internal(set) var copiedBytes: UInt64 = 0
}
