import HoldfastSync

/// A broken rule, at the moment when it was seen.
struct SimulationFinding: Error, Hashable, Sendable {
    let rule: SimulationRule
    let text: String
    let record: RecordReference?

    init(_ rule: SimulationRule, _ text: String, _ record: RecordReference? = nil) {
        self.rule = rule
        self.text = text
        self.record = record
    }
}

extension SimulationFinding: CustomStringConvertible {
    var description: String {
        let place = record.map { "\($0.table) \($0.id): " } ?? ""
        return "\(rule.rawValue), \(rule.promise): \(place)\(text)."
    }
}
