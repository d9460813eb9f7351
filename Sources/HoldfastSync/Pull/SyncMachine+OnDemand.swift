import Holdfast

extension SyncMachine {
    /// Takes records that were asked for one by one.
    ///
    /// A record whose scope is not followed stays as it is here until it is asked for again.
    ///
    /// - Returns: Whether the records were taken; not from another dataset.
    package func take(_ page: RecordsPage) async throws -> Bool {
        guard try await belongs(page.dataset, page.epoch) else { return false }
        let settling = settling
        let outstanding = outstanding
        let outcome = try await store.writeUnrecorded { transaction in
            var outcome = PageApplication.Outcome()
            for change in page.records where change.kind == .put && change.isComplete {
                let application = PageApplication(
                    settling: settling,
                    scope: change.scope,
                    outstanding: outstanding
                )
                var scope = ScopeState()
                let taken = try application.apply([change], &scope, to: &transaction)
                outcome.confirmed += taken.confirmed
                outcome.hasMutations = outcome.hasMutations || taken.hasMutations
            }
            return outcome
        }
        for mutation in outcome.confirmed { self.outstanding.remove(mutation) }
        if outcome.hasMutations { push.want(at: now) }
        return true
    }
}
