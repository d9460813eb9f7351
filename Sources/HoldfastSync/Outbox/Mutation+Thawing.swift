extension Mutation {
    /// The mutation as one that may be changed and was never sent, after the server refused it or
    /// found another state of the record.
    ///
    /// - Parameter key: A new key: the server keeps its answer under the old one.
    /// - Returns: The same mutation in its place, queued.
    package func thawed(as key: MutationKey) -> Mutation {
        var thawed = self
        thawed.key = key
        thawed.state = .queued
        thawed.deferrals = 0
        return thawed
    }
}
