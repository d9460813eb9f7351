/// A broken promise: what was found, and the way that leads to it.
public struct CrashViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found.
    public let finding: String
    /// The workload, the crashes and the decisions that led to it, in order.
    public private(set) var trail: [CrashStep] = []

    /// Whether acknowledged commits are gone, and no more than that.
    let isLoss: Bool

    init(_ finding: String, isLoss: Bool = false) {
        self.finding = finding
        self.isLoss = isLoss
    }

    func following(_ trail: [CrashStep]) -> CrashViolation {
        var violation = self
        violation.trail = trail + self.trail
        return violation
    }

    /// The finding and the trail, a line each.
    public var description: String {
        ([finding] + trail.map { "  " + $0.description }).joined(separator: "\n")
    }
}

/// One step on the way to a ``CrashViolation``.
public enum CrashStep: Hashable, Sendable, CustomStringConvertible {
    /// A workload was run on a new disk.
    case workload([CrashOperation], seed: UInt64)
    /// The process was killed; `nil` stands for the end.
    case killed(before: DiskCall?)
    /// The power was lost, with these decisions of a ``CrashEnumerator`` or this seed.
    case powerLost(before: DiskCall?, outcome: [Int] = [], seed: UInt64? = nil)

    /// The workload's disk showed a failure.
    case failing([DiskFault])

    /// The step in words.
    public var description: String {
        switch self {
        case .workload(let operations, let seed):
            "workload \(operations), seed \(seed)"
        case .failing(let faults):
            "failing \(faults)"
        case .killed(let call):
            "killed \(Self.place(call))"
        case .powerLost(let call, let outcome, let seed):
            "power lost \(Self.place(call)), \(seed.map { "seed \($0)" } ?? "outcome \(outcome)")"
        }
    }

    private static func place(_ call: DiskCall?) -> String {
        call.map { "before \($0)" } ?? "at the end"
    }
}
