/// Builds a store's records again from its journal alone, and compares them with what is shown.
///
/// What a checkpoint says, or what has been kept up to date commit by commit, is so found out where
/// it says something else than the journal does.
struct JournalRecount {
    let root: StorageRoot

    /// The records that the journal of `source` gives.
    ///
    /// - Returns: `nil` where another commit was made meanwhile, or the journal is damaged.
    static func run(
        _ source: BackupSource,
        _ configuration: JournalConfiguration
    ) async throws(StorageError) -> JournalRecount? {
        var configuration = configuration
        configuration.readsCheckpoint = false
        configuration.valueCacheBytes = 0
        let follower: JournalFollower
        do {
            follower = try await JournalFollower.open(
                at: source.directory.path,
                configuration: configuration
            )
        } catch  where error.code == .corruption || error.code == .inputOutput {
            // The files were checked, and what is wrong with them was reported; or a writer changes
            // them all the time.
            return nil
        }
        let root = try follower.shownRoot()
        return root.sequenceNumber == source.root.sequenceNumber ? JournalRecount(root: root) : nil
    }

    /// Compares.
    func findings(_ other: StorageRoot) throws(StorageError) -> [Finding] {
        guard root.records.count == other.records.count else {
            return [.count(other.records.count, of: "records", found: root.records.count)]
        }
        return try Self.sum(root) == Self.sum(other) ? [] : [.versions]
    }

    /// Which version of which key: compaction may have moved its entry meanwhile.
    private static func sum(_ root: StorageRoot) throws(StorageError) -> UInt64 {
        var sum: UInt64 = 0
        try root.records.forEach(in: .all) { key, payload in
            sum &+= XXH64.hash(of: key, seed: EntryLocation(payload).number.rawValue)
            return true
        }
        return sum
    }
}
