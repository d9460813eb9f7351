/// How finely the decisions of a power loss are asked.
public struct CrashLimits: Hashable, Sendable {
    /// The number of unsynced sectors in a file up to which each decides for itself.
    ///
    /// A file with more goes by patterns: none, all, every prefix, every suffix, and each sector
    /// alone in each of its states while the others are all old or all new.
    public var independentSectors: Int
    /// Whether a sector can hold zeros or 0xA5 where it was being written.
    public var tears: Bool

    /// Describes how finely to ask; by default every sector decides for itself, with tears.
    public init(independentSectors: Int = .max, tears: Bool = true) {
        self.independentSectors = independentSectors
        self.tears = tears
    }
}
