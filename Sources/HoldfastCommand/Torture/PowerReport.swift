import Holdfast
import HoldfastTesting

/// What `hold torture power` has tried so far.
struct PowerReport {
    /// A small world that was tried in full.
    struct World {
        let name: String
        let unit: SmallWorld.Unit
        var count = 0
    }

    /// A broken promise.
    struct Failure {
        /// The seed of the round that found it; `nil` for a small world, which has none.
        let seed: UInt64?
        let violation: CrashViolation

        /// How to see it again.
        var command: String {
            guard let seed else { return "hold torture power --rounds 0" }
            return "hold torture power --no-worlds --rounds 1 --seed \(seed)"
        }
    }

    let seed: UInt64
    var worlds: [World] = []
    var random = PowerTorture.Tally()
    var failure: Failure?
    var elapsed = Duration.zero
    /// What of it went into crashes.
    var crashTime = Duration.zero

    init(seed: UInt64) { self.seed = seed }

    private var states: Int { random.states + count(of: .crashStates) }
    private var lost: Int { failure?.violation.isLoss == true ? 1 : 0 }
    private var damaged: Int { failure?.violation.isLoss == false ? 1 : 0 }
    private var statesPerSecond: Int {
        Int((Double(states) / max(0.001, crashTime.seconds)).rounded())
    }

    private func count(of unit: SmallWorld.Unit) -> Int {
        worlds.filter { $0.unit == unit }.reduce(0) { $0 + $1.count }
    }

    /// For a program.
    var object: JSONObject {
        var object: JSONObject = [
            "rounds": .integer(Int64(random.rounds)),
            "states": .integer(Int64(states)),
            "failures": .integer(Int64(count(of: .failures))),
            "damagedStores": .integer(Int64(count(of: .damagedStores))),
            "statesPerSecond": .integer(Int64(statesPerSecond)),
            "crashedRecoveries": .integer(Int64(random.crashedRecoveries)),
            "acknowledged": .integer(Int64(random.acknowledged)),
            "lost": .integer(Int64(lost)),
            "damaged": .integer(Int64(damaged)),
            "seconds": .double(elapsed.seconds),
            "seed": .string(String(seed)),
        ]
        object["worlds"] = .array(
            worlds.map { world in
                [
                    "name": .string(world.name),
                    "count": .integer(Int64(world.count)),
                    "unit": .string(world.unit.rawValue),
                ]
            }
        )
        if let failure {
            object["finding"] = .string(failure.violation.description)
            object["repeat"] = .string(failure.command)
        }
        return object
    }

    /// For a person.
    func lines(_ style: TerminalStyle?) -> [String] {
        func must(_ count: Int) -> String {
            let text = "\(count.grouped) (must be 0)"
            return style?.paint(text, count == 0 ? .good : .bad) ?? text
        }
        var lines = worlds.map { world in
            "world         \(world.name): \(world.count.grouped) \(world.unit.rawValue)"
        }
        lines += [
            "rounds        \(random.rounds.grouped)",
            "crash states  \(states.grouped), \(statesPerSecond.grouped)/s",
            "              \(random.crashedRecoveries.grouped) of the rounds' met a recovery",
            "acknowledged  \(random.acknowledged.counted("transaction"))",
            "lost          \(must(lost))",
            "damaged       \(must(damaged))",
            "time          \(elapsed.seconds.rounded1) s",
            "seed          \(seed)",
        ]
        if let failure {
            lines += ["", failure.violation.description, "repeat with    \(failure.command)"]
        }
        return lines
    }
}
