/// Which scopes are followed from here on, and what becomes of the others.
struct Following: Sendable {
    /// The scopes to follow.
    private(set) var wanted: Set<ScopeName>
    /// What is stored of scopes anew.
    private(set) var changed: [ScopeName: ScopeState] = [:]
    private let restored: Restored?

    /// What is to be compared with a server that was restored.
    struct Restored: Sendable {
        /// The generation in which its newest history began.
        let since: UInt32
        /// The scopes of which nothing is stored but records that were not compared.
        let scopes: Set<ScopeName>
    }

    /// - Parameters:
    ///   - visible: The scopes that the principal sees.
    ///   - chosen: The scopes that the app follows; `nil` for all.
    ///   - stored: What is known of scopes.
    ///   - restored: What is to be compared, if the server was restored.
    init(
        visible: [ScopeName],
        chosen: Set<ScopeName>?,
        stored: [ScopeName: ScopeState],
        restored: Restored?
    ) {
        self.restored = restored
        let visible = Set(visible)
        wanted = chosen.map { visible.intersection($0) } ?? visible
        // What a restored server has lost may be here alone: it is left when that was compared.
        for (scope, state) in stored
        where visible.contains(scope) && state.snapshot?.restoredSince != nil {
            wanted.insert(scope)
        }
        for (scope, state) in stored { follow(scope, state, isVisible: visible.contains(scope)) }
        // What waited, sealed, while the scope was not seen may stand on lost versions.
        for scope in wanted where restored?.scopes.contains(scope) == true {
            changed[scope] = begun(ScopeState())
        }
    }

    private mutating func follow(_ scope: ScopeName, _ state: ScopeState, isVisible: Bool) {
        var state = state
        switch (isVisible, wanted.contains(scope)) {
        case (true, true) where state.isRevoked || state.isLeft:
            // What was removed meanwhile has to come again.
            changed[scope] = begun(state)
        case (true, false) where !state.isRevoked && !state.isLeft:
            state.isLeft = true
            changed[scope] = state
        case (false, _) where !state.isRevoked:
            state.isRevoked = true
            state.isLeft = false
            changed[scope] = state
        default: break
        }
    }

    /// A scope that is read from its beginning, and compared where the server was restored.
    private func begun(_ state: ScopeState) -> ScopeState {
        var begun = ScopeState()
        if let since = state.snapshot?.restoredSince ?? restored?.since {
            begun.snapshot = ScopeState.Snapshot(generation: since)
            begun.snapshot?.restoredSince = since
        }
        return begun
    }
}
