/// A broken rule, and the script that leads to it.
public struct SimulationViolation: Error, Hashable, Sendable {
    /// The rule.
    public let rule: SimulationRule
    /// What was found, with the record that it is about.
    public let finding: String
    /// The seed: a run with it and the same options is this run again.
    public let seed: UInt64
    /// What happened from outside, in order; after shrinking no more than is needed.
    public internal(set) var script: [SimulationStep]
    /// What the replicas and the server did, in lines; empty unless it was asked for.
    public internal(set) var trace: [String] = []

    /// When it was seen, from the simulation's start.
    var time = Duration.zero

    init(_ finding: SimulationFinding, seed: UInt64, script: [SimulationStep]) {
        rule = finding.rule
        self.finding = finding.description
        self.seed = seed
        self.script = script
    }
}

extension SimulationViolation: CustomStringConvertible {
    /// The finding, the seed and the script, a line each.
    public var description: String {
        let lines = ["\(finding)", "seed \(seed), \(script.count) steps:"]
        let steps = script.map { "  \($0)" }
        let events = trace.isEmpty ? [] : ["what happened:"] + trace.map { "  \($0)" }
        return (lines + steps + events).joined(separator: "\n")
    }
}
