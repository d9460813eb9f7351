import HoldfastStorage

extension StorageStatistics {
    /// What the files hold, and how often a value that was read was in memory.
    var remarks: [String] {
        let mebibytes = [
            "journal": journalBytes, "live": liveBytes, "checkpoint": files.checkpointBytes,
            "made ready": files.preparedBytes,
        ]
        let parts = mebibytes.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value >> 20) MiB" }
        let asked = cache.hits + cache.misses
        let share = asked == 0 ? 0 : cache.hits * 100 / asked
        return [
            parts.joined(separator: ", "),
            "\(cache.values) values in \(cache.memoryBytes >> 20) MiB of cache at most,"
                + " found there in \(share) % of \(asked) reads",
        ]
    }
}
