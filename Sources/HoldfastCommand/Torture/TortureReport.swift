import Holdfast

/// What rounds of `hold torture kill` have seen.
struct TortureReport {
    var seed: UInt64 = 0
    var rounds = 0
    var acknowledged = 0
    var findings = TortureModel.Findings()
    var elapsed = Duration.zero

    /// Adds what other rounds have seen.
    static func += (left: inout TortureReport, right: TortureReport) {
        left.rounds += right.rounds
        left.acknowledged += right.acknowledged
        left.findings += right.findings
    }

    private var roundsPerSecond: Double { Double(rounds) / max(0.001, elapsed.seconds) }

    /// For a program.
    var object: JSONObject {
        [
            "rounds": .integer(Int64(rounds)),
            "acknowledged": .integer(Int64(acknowledged)),
            "lost": .integer(Int64(findings.lost)),
            "damaged": .integer(Int64(findings.damaged)),
            "torn": .integer(Int64(findings.torn)),
            "foreign": .integer(Int64(findings.foreign)),
            "unreadable": .integer(Int64(findings.unreadable)),
            "seconds": .double(elapsed.seconds),
            "seed": .string(String(seed)),
        ]
    }

    /// For a person.
    func lines(_ style: TerminalStyle?) -> [String] {
        func must(_ count: Int) -> String {
            let text = "\(count.grouped) (must be 0)"
            return style?.paint(text, count == 0 ? .good : .bad) ?? text
        }
        return [
            "rounds        \(rounds.grouped)",
            "acknowledged  \(acknowledged.grouped) transactions",
            "lost          \(must(findings.lost))",
            "damaged       \(must(findings.damaged))",
            "time          \(elapsed.seconds.rounded1) s, \(roundsPerSecond.rounded1) rounds/s",
            "seed          \(seed)",
        ]
    }
}
