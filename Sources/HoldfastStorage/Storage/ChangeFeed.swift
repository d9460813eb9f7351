/// The newest commits of a memory storage, contiguous by number.
struct ChangeFeed: Sendable {
    private let retainedCount: Int
    /// May begin with commits that are no longer retained, so that dropping one costs O(1).
    private var commits: [Commit] = []
    private var dropped = 0

    init(retaining retainedCount: Int) { self.retainedCount = max(retainedCount, 0) }

    /// The last number that is no longer retained.
    private(set) var floor = SequenceNumber.zero

    mutating func append(_ commit: Commit) {
        commits.append(commit)
        guard commits.count - dropped > retainedCount else { return }
        floor = commits[dropped].sequenceNumber
        // The place stays, the changes go.
        commits[dropped] = Commit(sequenceNumber: floor, changes: [])
        dropped += 1
        guard dropped * 2 > commits.count else { return }
        commits.removeFirst(dropped)
        dropped = 0
    }

    func commits(after number: SequenceNumber, limit: Int) throws(StorageError) -> [Commit] {
        guard number >= floor else {
            throw .changesCompacted(floor)
        }
        let skipped = number.rawValue - floor.rawValue
        guard limit > 0, skipped < UInt64(commits.count - dropped) else { return [] }
        let first = dropped + Int(skipped)
        return Array(commits[first...].prefix(limit))
    }
}
