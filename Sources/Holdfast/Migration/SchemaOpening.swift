import HoldfastStorage

/// Brings a store to an app's schema: runs the steps that are missing, and declares what is new.
struct SchemaOpening {
    let schema: Schema
    let store: Store
    let progress: (@Sendable (MigrationProgress) -> Void)?

    /// - Throws: ``StoreError``; the store is as it was before the step that failed.
    func run() async throws {
        let stored = try store.read { try $0.state.storedSchema(opening: schema) }
        try schema.requireNotNewer(stored)
        if store.storage is JournalFollower { return try schema.requireNoSteps(stored) }
        let steps = schema.steps(from: stored)
        try requireKnownForms(steps)
        for (position, step) in steps.enumerated() {
            let next = position + 1 < steps.count ? steps[position + 1] : nil
            let progress = MigrationProgress(
                step: step.name,
                number: position + 1,
                count: steps.count
            )
            try await run(step, before: next, progress)
        }
        if steps.isEmpty { try await declare() }
    }

    /// Refuses to step what a server took from apps of all versions: each record is in a form of its
    /// own there, and a step that is run twice does harm.
    private func requireKnownForms(_ steps: [MigrationStep]) throws {
        guard store.isServed, steps.contains(where: \.isRepresentationOnly),
            try store.read({ try $0.storedSchema() }) == nil
        else { return }
        throw StoreError(
            .migrationFailed,
            "A server without a schema has taken this store's records in several forms, so that the"
                + " schema's steps cannot be run on all of them: open it without a schema. Nothing"
                + " was touched."
        )
    }

    /// Runs one step in one transaction, with the note that it was run.
    private func run(
        _ step: MigrationStep,
        before next: MigrationStep?,
        _ progress: MigrationProgress
    ) async throws {
        let (schema, report) = (schema, self.progress)
        // No other transaction runs before the step's.
        let state = try store.read { $0.state }
        try await store.write(.synced) { transaction in
            var stored = try transaction.state.storedSchema(opening: schema)
            let before = stored
            stored.steps.append(.init(name: step.name, version: step.version))
            stored.isBetweenSteps = next?.version == step.version
            stored.version = next == nil ? schema.version : step.version + 1
            do {
                transaction.checksRules = false
                transaction.migration = MigrationScope(
                    progress,
                    of: step.form,
                    before: state,
                    report
                )
                if step.isRepresentationOnly { transaction.keepRepresentation() }
                try transaction.dropObsolete(schema)
                try step.body(&transaction)
                if next == nil { try transaction.declare(schema) }
                try transaction.verifyTouched()
                try transaction.setStoredSchema(stored)
            } catch {
                throw StoreError.migrationFailed(step, on: before, error)
            }
        }
    }

    /// Declares what the store has not, where there is no step to run.
    private func declare() async throws {
        let schema = schema
        let isCurrent = try store.read { transaction in
            let stored = try transaction.storedSchema()
            guard stored?.version == schema.version, stored?.isBetweenSteps == false else {
                return false
            }
            return try SchemaDifference(from: transaction.state, to: schema).isEmpty
        }
        if isCurrent { return }
        try await store.write(.synced) { transaction in
            var stored = try transaction.state.storedSchema(opening: schema)
            stored.version = schema.version
            stored.isBetweenSteps = false
            try transaction.declare(schema)
            try transaction.setStoredSchema(stored)
        }
    }
}
