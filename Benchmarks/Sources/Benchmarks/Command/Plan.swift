/// Which work is done.
struct Plan: Sendable {
    /// Work that is not of the rounds.
    enum Extra: String, CaseIterable, Sendable {
        case load
        case size
        case open
        case kill
        case memory
        case observers
        case sync
    }

    /// The names on the command line.
    static var names: [String] {
        Extra.allCases.map(\.rawValue) + workloads(1).map(\.name)
    }

    /// The workloads of a round, in order: those that change nothing first.
    let workloads: [any Workload]
    private let extras: Set<Extra>

    init(_ options: Options) {
        let only = options.only
        workloads = Self.workloads(options.records)
            .filter { only.isEmpty || only.contains($0.name) }
        extras = Set(Extra.allCases.filter { only.isEmpty || only.contains($0.rawValue) })
    }

    /// Whether it is done.
    func has(_ extra: Extra) -> Bool { extras.contains(extra) }

    /// Whether there are rounds at all.
    var hasRounds: Bool { !workloads.isEmpty || has(.open) }

    /// Whether the engines are compared at all.
    var hasComparison: Bool {
        hasRounds || !extras.isDisjoint(with: [.load, .size, .kill, .memory])
    }

    private static func workloads(_ records: Int) -> [any Workload] {
        [
            ReadWorkload(), NewestWorkload(), RangeWorkload(), ScanWorkload(),
            CommitWorkload(), TransactionWorkload(), CommitterWorkload(), UpdateWorkload(),
            YCSBWorkload(records: records),
        ]
    }
}
