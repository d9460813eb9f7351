/// How SQLite is set up.
struct SQLiteSettings: Sendable {
    /// The pragmas that are run at every open.
    let pragmas: [String]

    /// A write-ahead log, synced at every commit; all else as it comes.
    static let full = SQLiteSettings(
        pragmas: ["journal_mode = WAL", "synchronous = FULL"]
    )
    /// With 256 MiB of cache, the file mapped, and a log that may grow to 40 MiB.
    static let tuned = SQLiteSettings(pragmas: full.pragmas + tuning)
    /// Tuned, and synced at checkpoints only: what was committed last may be lost with the power.
    static let normal = SQLiteSettings(
        pragmas: ["journal_mode = WAL", "synchronous = NORMAL"] + tuning
    )

    private static let tuning = [
        "cache_size = -262144", "mmap_size = 8589934592", "wal_autocheckpoint = 10000",
    ]
}
