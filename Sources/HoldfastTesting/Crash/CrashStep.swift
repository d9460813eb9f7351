/// One step on the way to a ``CrashViolation``.
public enum CrashStep: Hashable, Sendable, CustomStringConvertible {
    /// A workload was run, on a new disk or on what a crash had left.
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
