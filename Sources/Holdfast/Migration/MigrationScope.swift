/// The step of a migration that a transaction runs.
struct MigrationScope {
    /// The tables that were written to.
    var touched: Set<TableName> = []
    private var progress: MigrationProgress
    private let report: (@Sendable (MigrationProgress) -> Void)?

    /// How many records are visited from one report to the next.
    private static let interval = 1_000

    init(_ progress: MigrationProgress, _ report: (@Sendable (MigrationProgress) -> Void)?) {
        self.progress = progress
        self.report = report
        report?(progress)
    }

    mutating func countRecord() {
        progress.records += 1
        if progress.records.isMultiple(of: Self.interval) { report?(progress) }
    }
}
