import Holdfast
import HoldfastTesting

/// What `hold simulate` has tried.
struct SimulateReport {
    let seed: UInt64
    var total = SimulationReport()
    /// The first of the broken rules, in the order of the seeds as they were tried.
    var violation: SimulationViolation?
    /// How many runs broke each rule.
    private(set) var broken: [SimulationRule: Int] = [:]
    var elapsed = Duration.zero

    init(seed: UInt64) { self.seed = seed }

    /// How many runs there were.
    var runs: Int { total.runs + violations }

    /// How many of them broke a rule.
    var violations: Int { broken.values.reduce(0, +) }

    mutating func add(_ report: SimulationReport, _ violations: [SimulationViolation]) {
        total += report
        for violation in violations {
            broken[violation.rule, default: 0] += 1
            self.violation = self.violation ?? violation
        }
    }

    private var seedsPerSecond: Double { Double(runs) / max(0.001, elapsed.seconds) }

    private var command: String? {
        violation.map { "hold simulate --seeds 1 --seed \($0.seed)" }
    }

    /// For a program.
    var object: JSONObject {
        var object: JSONObject = [
            "seeds": .integer(Int64(runs)),
            "violations": .integer(Int64(violations)),
            "commits": .integer(Int64(total.commits)),
            "requests": .integer(Int64(total.requests)),
            "mutations": .integer(Int64(total.mutations)),
            "conflicts": .integer(Int64(total.conflicts)),
            "ledgerEntries": .integer(Int64(total.ledgerEntries)),
            "crashes": .integer(Int64(total.crashes)),
            "restores": .integer(Int64(total.restores)),
            "checks": .integer(Int64(total.checks)),
            "simulatedSeconds": .double(total.simulatedTime.seconds),
            "seconds": .double(elapsed.seconds),
            "seedsPerSecond": .double(seedsPerSecond),
            "traceHash": .string(String(total.traceHash, radix: 16)),
            "seed": .string(String(seed)),
        ]
        if let violation {
            object["rule"] = .string(violation.rule.rawValue)
            object["finding"] = .string(violation.finding)
            object["script"] = .array(violation.script.map { .string("\($0)") })
            object["repeat"] = command.map { .string($0) }
        }
        return object
    }

    /// For a person.
    func lines(_ style: TerminalStyle?) -> [String] {
        let text = "\(violations.grouped) (must be 0)"
        var lines = [
            "seeds         \(runs.grouped), \(seedsPerSecond.rounded1)/s",
            "commits       \(total.commits.grouped)",
            "requests      \(total.requests.grouped) with \(total.mutations.counted("mutation"))",
            "conflicts     \(total.conflicts.grouped), and"
                + " \(total.ledgerEntries.counted("entry", "entries")) in ledgers",
            "crashes       \(total.crashes.grouped), and \(total.restores.counted("restore"))",
            "checks        \(total.checks.grouped)",
            "violations    \(style?.paint(text, violations == 0 ? .good : .bad) ?? text)",
            "time          \(elapsed.seconds.rounded1) s, for"
                + " \((total.simulatedTime.seconds / 3_600).rounded1) hours of the replicas'",
            "trace         \(String(total.traceHash, radix: 16))",
            "seed          \(seed)",
        ]
        for rule in SimulationRule.allCases {
            guard let count = broken[rule] else { continue }
            lines.append("              \(count.grouped): \(rule.rawValue), \(rule.promise)")
        }
        if let violation, let command {
            lines += ["", violation.description, "repeat with   \(command)"]
        }
        return lines
    }
}
