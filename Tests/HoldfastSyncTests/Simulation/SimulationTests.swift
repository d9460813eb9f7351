import Holdfast
import HoldfastSync
import HoldfastTesting
import Testing

/// Short simulations; `hold simulate` runs long ones.
struct SimulationTests {
    private static let options = SimulationOptions(operations: 20)

    @Test(arguments: [1, 2, 3, 5, 8, 13, 21, 34] as [UInt64])
    func replicasAgreeWhateverHappens(seed: UInt64) async throws {
        let report = try await StandardWorkload.simulation(Self.options)
            .run(seed: seed, shrinks: false)
        #expect(report.commits > 10, "seed \(seed)")
        #expect(report.mutations > 5, "seed \(seed)")
    }

    /// I14, and I13: a clock that is a day off changes nothing.
    @Test func theSameSeedGivesTheSameRunWhateverTheClocksSay() async throws {
        // Runs of seeds that 32 divides are repeated, with wrong clocks and with right ones.
        let simulation = StandardWorkload.simulation(Self.options)
        let first = try await simulation.run(seed: 32, shrinks: false)
        let second = try await simulation.run(seed: 32, shrinks: false)
        #expect(first == second)
        let other = try await simulation.run(seed: 33, shrinks: false)
        #expect(other.traceHash != first.traceHash)
    }

    @Test func messagesThatGoThroughTheirTextGiveTheSameRun() async throws {
        var options = Self.options
        let values = try await StandardWorkload.simulation(options).run(seed: 7, shrinks: false)
        options.codesMessages = true
        let texts = try await StandardWorkload.simulation(options).run(seed: 7, shrinks: false)
        #expect(values == texts)
    }

    @Test func anAppsOwnTablesAreSimulated() async throws {
        let schema = Schema(version: 1) { Table("notes").synced() }
        let simulation = Simulation(
            schema: schema,
            options: SimulationOptions(replicas: 2, operations: 10, hardships: [.network])
        ) {
            SimulatedOperation("writes") { transaction, person in
                try transaction.put(
                    ["id": .string(person.id().text), "text": .string(person.word())],
                    in: "notes"
                )
            }
        }
        let report = try await simulation.run(seeds: 1...3)
        #expect(report.runs == 3)
        #expect(report.commits >= 60)
    }

    /// A mistake is found, and the script that shows it shows it again.
    @Test func aMistakeThatIsMadeOnPurposeIsFound() async throws {
        let simulation = StandardWorkload.simulation(SimulationOptions(operations: 30))
            .planting(.clearingWithoutCompare)
        var found: SimulationViolation?
        for seed in 1...40 as ClosedRange<UInt64> where found == nil {
            do {
                try await simulation.run(seed: seed, shrinks: false)
            } catch let violation as SimulationViolation {
                found = violation
            }
        }
        let violation = try #require(found)
        let script = SimulationScript(seed: violation.seed, replicas: 3, steps: violation.script)
        let again = await #expect(throws: SimulationViolation.self) {
            _ = try await simulation.run(script, isTraced: true)
        }
        #expect(again?.finding == violation.finding)
        #expect(again?.trace.isEmpty == false)
    }

    @Test func simplerScriptsAreSmaller() {
        let script = StandardWorkload.simulation(Self.options).script(seed: 3)
        #expect(!script.simpler.isEmpty)
        for simpler in script.simpler {
            #expect(simpler != script)
            #expect(simpler.steps.count <= script.steps.count)
            #expect(simpler.replicas <= script.replicas)
        }
    }
}
