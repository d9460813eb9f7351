public import HoldfastSync

extension SyncServer {
    /// Hints that something changed in what a principal sees; they carry no data, and one that is
    /// not taken is replaced by the next.
    ///
    /// - Parameter principal: Who listens.
    /// - Returns: The hints, until the listener goes.
    public func pokes(principal: Principal) -> AsyncStream<ServerPoke> {
        listeners.stream(for: principal).0
    }

    /// Says that a principal sees other scopes than before, so that its clients ask.
    ///
    /// - Parameter principal: Whose scopes have changed.
    public func scopesChanged(of principal: Principal) {
        listeners.tell { $0 == principal ? .poke([]) : nil }
    }

    /// How many listen for hints.
    package var listenerCount: Int { listeners.count }

    func tell(_ scopes: Set<ScopeName>) {
        listeners.tell { principal in
            let visible = (try? configuration.scopes(principal)) ?? []
            let concerned = scopes.intersection(visible)
            return concerned.isEmpty ? nil : .poke(concerned)
        }
    }
}
