extension StoreError {
    /// The error of a step that failed on a store.
    static func migrationFailed(
        _ step: MigrationStep,
        on stored: StoredSchema,
        _ cause: any Error
    ) -> any Error {
        if cause is CancellationError { return cause }
        let cause = translating(cause)
        var error = StoreError(
            .migrationFailed,
            "The step \"\(step.name)\" from version \(step.version) failed; the store is as it was"
                + " before it, and \(stored.opening).",
            cause: cause
        )
        if let cause = cause as? StoreError {
            error.table = cause.table
            error.id = cause.id
            error.field = cause.field
            error.otherTable = cause.otherTable
            error.otherID = cause.otherID
        }
        return error
    }
}

extension StoredSchema {
    /// Which schemas open a store that is known like this.
    fileprivate var opening: String {
        if isBetweenSteps {
            "opens with a schema of version \(version) or later alone, which runs this step first:"
                + " another step from version \(version - 1) has run already"
        } else if version == 0 {
            "opens without a schema"
        } else {
            "opens with the schema of version \(version)"
        }
    }
}
