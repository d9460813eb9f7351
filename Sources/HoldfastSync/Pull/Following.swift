/// Which scopes are followed from here on, and what becomes of the others.
struct Following: Sendable {
    /// The scopes to follow.
    private(set) var wanted: Set<ScopeName>
    /// What is stored of scopes anew.
    private(set) var changed: [ScopeName: ScopeState] = [:]

    /// - Parameters:
    ///   - visible: The scopes that the principal sees.
    ///   - chosen: The scopes that the app follows; `nil` for all.
    ///   - stored: What is known of scopes.
    init(visible: [ScopeName], chosen: Set<ScopeName>?, stored: [ScopeName: ScopeState]) {
        let visible = Set(visible)
        wanted = chosen.map { visible.intersection($0) } ?? visible
        // What a restored server has lost may be here alone: it is left when that was compared.
        for (scope, state) in stored
        where visible.contains(scope) && state.snapshot?.restoredSince != nil {
            wanted.insert(scope)
        }
        for (scope, state) in stored { follow(scope, state, isVisible: visible.contains(scope)) }
    }

    private mutating func follow(_ scope: ScopeName, _ state: ScopeState, isVisible: Bool) {
        var state = state
        switch (isVisible, wanted.contains(scope)) {
        case (true, true) where state.isRevoked || state.isLeft:
            // What was removed meanwhile has to come again.
            changed[scope] = state.begunAgain
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
}

extension ScopeState {
    fileprivate var begunAgain: ScopeState {
        var state = ScopeState()
        if let since = snapshot?.restoredSince {
            state.snapshot = ScopeState.Snapshot(generation: since)
            state.snapshot?.restoredSince = since
        }
        return state
    }
}
