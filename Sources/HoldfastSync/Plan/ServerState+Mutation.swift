extension ServerState {
    /// The state with a mutation that the server has applied, as far as this replica can tell.
    ///
    /// It is the base that the mutations behind it were made on; the server's own new state then is
    /// `remote`, and ``plan(_:base:mutations:remote:rules:isOutcomeUnknown:isParentDeleted:)`` sees
    /// only what others did.
    package func with(_ mutation: Mutation) -> ServerState {
        ServerState(version: version, object: mutation.change.applied(to: object))
    }
}
