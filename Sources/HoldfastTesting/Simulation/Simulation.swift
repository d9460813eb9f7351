public import Holdfast
public import HoldfastSync

/// Replicas of an app and their server in one process, on simulated disks, clocks and networks:
/// shows that an app's own tables, policies and operations survive whatever happens.
///
/// ```swift
/// let simulation = Simulation(schema: schema) {
///     SimulatedOperation("write a note", weight: 3) { transaction, person in
///         try transaction.put(Note(id: person.id(), title: person.word()))
///     }
///     SimulatedOperation("rename a note") { transaction, person in
///         guard var note = try person.choose(Note.self, in: transaction) else { return }
///         note.title = person.word()
///         try transaction.put(note)
///     }
/// }
/// try await simulation.run(seeds: 1...100)
/// ```
///
/// Everything follows from a seed: what persons do and when, which messages are lost, doubled and
/// late, when processes are killed and powers lost. The same seed gives the same run. Rules are
/// looked at after every step, and when all has come to rest: each ``SimulationRule``. What breaks
/// one is thrown as a ``SimulationViolation``, with a script that was made as short as it goes.
public struct Simulation: Sendable {
    private(set) var schema: Schema
    let operations: [SimulatedOperation]
    let options: SimulationOptions
    private(set) var nextSchema: Schema?
    private(set) var scope: @Sendable (RecordReference, JSONObject) -> ScopeName = { _, _ in
        ScopeName("all")
    }
    private(set) var scopes = [ScopeName("all")]
    private(set) var faults: PlantedFaults = []

    /// The simulation of an app.
    ///
    /// - Parameters:
    ///   - schema: What the app opens its store with.
    ///   - options: How large it is, and what happens.
    ///   - operations: What a person can do in the app.
    public init(
        schema: Schema,
        options: SimulationOptions = SimulationOptions(),
        @SimulatedOperationBuilder _ operations: () -> [SimulatedOperation]
    ) {
        self.schema = schema
        self.options = options
        self.operations = operations()
    }

    /// This simulation with a next version of the app, which devices get at some time.
    public func upgrading(to schema: Schema) -> Simulation {
        var simulation = self
        simulation.nextSchema = schema
        return simulation
    }

    /// This simulation with records in several scopes, of which accounts may lose some.
    ///
    /// - Parameters:
    ///   - scopes: All scopes.
    ///   - scope: The scope of a record, which follows from its table, its id and what it holds
    ///     alone: a record that is edited may move to another one.
    /// - Returns: The simulation.
    public func dividing(
        into scopes: [ScopeName],
        _ scope: @escaping @Sendable (RecordReference, JSONObject) -> ScopeName
    ) -> Simulation {
        var simulation = self
        simulation.scopes = scopes
        simulation.scope = scope
        return simulation
    }

    /// This simulation with mistakes made on purpose.
    package func planting(_ faults: PlantedFaults) -> Simulation {
        var simulation = self
        simulation.faults = faults
        simulation.schema = schema.planting(faults)
        simulation.nextSchema = nextSchema?.planting(faults)
        return simulation
    }
}

extension Simulation {
    /// How the machines are set: as an app's, with shorter times, so that more happens in a run.
    var configuration: SyncConfiguration {
        var configuration = SyncConfiguration()
        configuration.interval = .seconds(30)
        configuration.backoffCap = .seconds(60)
        configuration.pageLimit = 12
        configuration.batchOperations = 30
        configuration.faults = faults
        return configuration
    }

    /// Runs it once.
    ///
    /// - Parameters:
    ///   - seed: What everything in it follows from.
    ///   - shrinks: Whether a script that breaks a rule is made as short as it goes first, which
    ///     runs it some hundred times.
    /// - Returns: What it went through.
    /// - Throws: ``SimulationViolation`` when a rule was broken.
    @discardableResult
    public func run(seed: UInt64, shrinks: Bool = true) async throws -> SimulationReport {
        let script = script(seed: seed)
        do {
            let report = try await run(script)
            if seed % Self.repetition == 0 { try await repeatRun(script, report) }
            return report
        } catch let violation as SimulationViolation where shrinks {
            throw await shrunk(violation, script)
        }
    }

    /// Runs it for each seed of a range, until one breaks a rule.
    ///
    /// - Parameter seeds: The seeds.
    /// - Returns: What all of them went through.
    /// - Throws: ``SimulationViolation`` when a rule was broken, or `CancellationError`.
    @discardableResult
    public func run(seeds: ClosedRange<UInt64>) async throws -> SimulationReport {
        var report = SimulationReport()
        for seed in seeds {
            try Task.checkCancellation()
            report += try await run(seed: seed)
        }
        return report
    }

    /// Every so many seeds a run is repeated, with and without wrong clocks.
    private static let repetition: UInt64 = 32

    /// The same script gives the same run, and clocks change nothing of it.
    private func repeatRun(_ script: SimulationScript, _ report: SimulationReport) async throws {
        let again = try await run(script)
        guard again == report else {
            throw SimulationViolation(
                SimulationFinding(.runsRepeat, "Two runs of one script came to different ends"),
                seed: script.seed,
                script: script.steps
            )
        }
        let wrong = try await SimulationRun(self, script, clocksMatterToPersons: false).run()
        let right = try await SimulationRun(
            self,
            script.withoutClocks,
            clocksMatterToPersons: false
        ).run()
        guard wrong.traceHash == right.traceHash else {
            throw SimulationViolation(
                SimulationFinding(
                    .clocksDoNotMatter,
                    "A run with wrong clocks and one with right ones came to different ends"
                ),
                seed: script.seed,
                script: script.steps
            )
        }
    }

    /// What a seed makes happen from outside.
    package func script(seed: UInt64) -> SimulationScript {
        var plan = SimulationPlan(
            options,
            operations.map { SimulationPlan.Choice(name: $0.name, weight: $0.weight) },
            scopes: scopes.count,
            hasUpgrade: nextSchema != nil,
            seed: seed
        )
        return plan.script()
    }

    /// Runs a script.
    ///
    /// - Parameters:
    ///   - script: What happens from outside.
    ///   - isTraced: Whether a violation says what the replicas and the server did.
    /// - Returns: What it went through.
    /// - Throws: ``SimulationViolation``, or what the simulation itself fails with.
    package func run(
        _ script: SimulationScript,
        isTraced: Bool = false
    ) async throws -> SimulationReport {
        let run = try await SimulationRun(self, script, isTraced: isTraced)
        do {
            return try await run.run()
        } catch let finding as SimulationFinding {
            var violation = SimulationViolation(finding, seed: script.seed, script: script.steps)
            violation.trace = run.trace.lines ?? []
            violation.time = run.now
            throw violation
        }
    }

    /// What the replicas and the server do with a seed, in lines.
    ///
    /// - Throws: ``SimulationViolation``, which has the lines up to there.
    package func trace(seed: UInt64) async throws -> [String] {
        let script = script(seed: seed)
        let run = try await SimulationRun(self, script, isTraced: true)
        do {
            _ = try await run.run()
        } catch let finding as SimulationFinding {
            return (run.trace.lines ?? []) + ["\(finding)"]
        }
        return run.trace.lines ?? []
    }

    /// The violation of the shortest script that was found to break the same rule.
    private func shrunk(
        _ violation: SimulationViolation,
        _ script: SimulationScript
    ) async -> SimulationViolation {
        let shrinker = Shrinker<SimulationScript>(limit: 600) { $0.simpler }
        let rule = violation.rule
        func fails(_ script: SimulationScript) async -> Bool {
            do {
                _ = try await run(script)
                return false
            } catch {
                return (error as? SimulationViolation)?.rule == rule
            }
        }
        // What was still to come cannot be needed, unless it was seen at the very end.
        let past = script.with(script.steps.filter { $0.time <= violation.time })
        let start = await fails(past) ? past : script
        let shortest = await shrinker.shrink(start) { await fails($0) }
        do {
            _ = try await run(shortest, isTraced: true)
        } catch let shorter as SimulationViolation {
            return shorter
        } catch {}
        return violation
    }
}

/// Collects the operations of a ``Simulation``.
@resultBuilder
public enum SimulatedOperationBuilder {
    /// An operation.
    public static func buildExpression(_ operation: SimulatedOperation) -> [SimulatedOperation] {
        [operation]
    }

    /// Operations that were made elsewhere.
    public static func buildExpression(
        _ operations: [SimulatedOperation]
    ) -> [SimulatedOperation] {
        operations
    }

    /// What stands one below the other.
    public static func buildBlock(_ parts: [SimulatedOperation]...) -> [SimulatedOperation] {
        parts.flatMap(\.self)
    }

    /// What stands under a condition.
    public static func buildOptional(_ part: [SimulatedOperation]?) -> [SimulatedOperation] {
        part ?? []
    }

    /// What a loop yields.
    public static func buildArray(_ parts: [[SimulatedOperation]]) -> [SimulatedOperation] {
        parts.flatMap(\.self)
    }
}
