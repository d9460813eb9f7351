/// A broken promise: what was found, and the way that leads to it.
public struct CrashViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found.
    public let finding: String
    /// The workload, the crashes and the decisions that led to it, in order.
    public private(set) var trail: [CrashStep] = []

    /// Whether acknowledged commits are gone, and no more than that.
    public let isLoss: Bool

    init(_ finding: String, isLoss: Bool = false) {
        self.finding = finding
        self.isLoss = isLoss
    }

    /// The same with what was done, in front of what was found.
    func about(_ what: String) -> CrashViolation {
        var violation = CrashViolation("\(what): \(finding)", isLoss: isLoss)
        violation.trail = trail
        return violation
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
