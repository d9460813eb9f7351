/// The step of a migration that a transaction runs.
struct MigrationScope {
    /// The tables that were written to.
    var touched: Set<TableName> = []
    /// The state before the step.
    let before: StoreState
    /// The form that the step leads to; `nil` where it is an edit.
    let form: Int?
    /// What keeps more of records than themselves, where the step is none of its writes.
    var recorder: (any TransactionRecorder)?
    /// The tables that were moved, by their names now, with their names before.
    private var origins: [TableName: TableName] = [:]
    private var progress: MigrationProgress
    private let report: (@Sendable (MigrationProgress) -> Void)?

    /// How many records are visited from one report to the next.
    private static let interval = 1_000

    init(
        _ progress: MigrationProgress,
        of form: Int?,
        before: StoreState,
        _ report: (@Sendable (MigrationProgress) -> Void)?
    ) {
        self.progress = progress
        self.form = form
        self.before = before
        self.report = report
        report?(progress)
    }

    mutating func countRecord() {
        progress.records += 1
        if progress.records.isMultiple(of: Self.interval) { report?(progress) }
    }

    mutating func move(_ table: TableName, to name: TableName) {
        touched.formUnion([table, name])
        origins[name] = origins.removeValue(forKey: table) ?? table
    }

    /// What a table was called before the step.
    func origin(of table: TableName) -> TableName { origins[table] ?? table }
}
