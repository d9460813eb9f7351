import HoldfastStorage

extension Schema {
    /// The steps that lead from what a store knows to this schema.
    func steps(from stored: StoredSchema) -> [MigrationStep] {
        steps.filter { step in
            if step.version >= stored.version { return true }
            return stored.isBetweenSteps && step.version == stored.version - 1
                && !stored.steps.contains { UTF8Order.same($0.name, step.name) }
        }
    }

    /// Refuses a store whose data is of a newer version.
    func requireNotNewer(_ stored: StoredSchema) throws {
        guard stored.version > version else { return }
        throw StoreError(
            .schemaTooNew,
            "The store's data is of schema version \(stored.version), and this program knows"
                + " version \(version): open it with a newer program. Nothing was touched."
        )
    }

    /// Refuses a store whose data is of a newer version.
    func requireNotNewer(than snapshot: any StorageSnapshot) throws {
        try requireNotNewer(StoreState(storage: snapshot).storedSchema(opening: self))
    }

    /// Refuses a store that a step would have to change first.
    func requireNoSteps(_ stored: StoredSchema) throws {
        guard let step = steps(from: stored).first else { return }
        throw StoreError(
            .schemaTooOld,
            "The store's data is of schema version \(stored.version), and the step"
                + " \"\(step.name)\" has not run: open it for writing once. Nothing was touched."
        )
    }
}
