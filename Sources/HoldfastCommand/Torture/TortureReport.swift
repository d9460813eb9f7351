import Holdfast

/// What a torture run has seen so far.
struct TortureReport {
    let seed: UInt64
    var rounds = 0
    var acknowledged = 0
    var findings = TortureModel.Findings()
    var elapsed = Duration.zero

    /// For a program.
    var object: JSONObject {
        [
            "rounds": .integer(Int64(rounds)),
            "acknowledged": .integer(Int64(acknowledged)),
            "lost": .integer(Int64(findings.lost)),
            "torn": .integer(Int64(findings.torn)),
            "foreign": .integer(Int64(findings.foreign)),
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
            "torn          \(must(findings.torn))",
            "never sent    \(must(findings.foreign))",
            "time          \(elapsed.seconds.rounded1) s",
            "seed          \(seed)",
        ]
    }
}
