/// What a background scrub has read, and what it found.
public struct ScrubReport: Hashable, Sendable {
    /// Whether it goes on.
    public internal(set) var isRunning = false
    /// How often every segment that is never written again has been read.
    public internal(set) var rounds = 0
    /// The bytes that were read.
    public internal(set) var bytes: UInt64 = 0
    /// The damage that was found, each once; at most the first thousand.
    public internal(set) var findings: [Finding] = []
}
