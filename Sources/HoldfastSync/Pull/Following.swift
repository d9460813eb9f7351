/// Which scopes are followed from here on, and what becomes of the others.
struct Following: Sendable {
    /// The scopes to follow.
    private(set) var wanted: Set<ScopeName>
    /// What is stored of scopes anew.
    private(set) var changed: [ScopeName: ScopeState] = [:]
    private let restoredSince: UInt32?

    /// - Parameters:
    ///   - visible: The scopes that the principal sees.
    ///   - chosen: The scopes that the app follows; `nil` for all.
    ///   - stored: What is known of scopes.
    ///   - restoredSince: When the newest history began, if the server was restored.
    init(
        visible: [ScopeName],
        chosen: Set<ScopeName>?,
        stored: [ScopeName: ScopeState],
        restoredSince: UInt32?
    ) {
        self.restoredSince = restoredSince
        let visible = Set(visible)
        wanted = chosen.map { visible.intersection($0) } ?? visible
        // What a restored server has lost may be here alone: it is left when that was compared.
        for (scope, state) in stored
        where visible.contains(scope) && state.snapshot?.restoredSince != nil {
            wanted.insert(scope)
        }
        for (scope, state) in stored { follow(scope, state, isVisible: visible.contains(scope)) }
        // What waited, sealed, while the scope was not seen may stand on lost versions.
        if restoredSince != nil {
            for scope in wanted where stored[scope] == nil { changed[scope] = begun(ScopeState()) }
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
        if let since = state.snapshot?.restoredSince ?? restoredSince {
            begun.snapshot = ScopeState.Snapshot(generation: since)
            begun.snapshot?.restoredSince = since
        }
        return begun
    }
}
