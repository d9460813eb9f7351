package import Holdfast

extension Store {
    /// From now on, queues writes of the tables that the stored link is about.
    ///
    /// A store with a schema has its own rules, and no link.
    package func followLink() throws {
        let link = try read { try $0.storeLink() }
        guard schema == nil, link.isLinked else { return }
        record(with: OutboxRecorder(link))
    }
}
