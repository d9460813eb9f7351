import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Synchronization

/// What a simulation's server allows: it changes in the course of a run.
final class SimulatedPolicy: Sendable {
    private struct State {
        var isFull = false
        var isRefusing = false
        var visible: [String: Set<ScopeName>]
    }

    private let scopes: [ScopeName]
    private let state: Mutex<State>

    init(scopes: [ScopeName], principals: [String]) {
        self.scopes = scopes
        state = Mutex(
            State(visible: Dictionary(principals.map { ($0, Set(scopes)) }) { first, _ in first })
        )
    }

    /// Whether there is no room for new records.
    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Whether whatever is new is rejected.
    var isRefusing: Bool {
        get { state.withLock { $0.isRefusing } }
        set { state.withLock { $0.isRefusing = newValue } }
    }

    func set(_ scope: ScopeName, isVisible: Bool, to principal: String) {
        state.withLock { state in
            if isVisible {
                state.visible[principal, default: []].insert(scope)
            } else {
                state.visible[principal, default: []].remove(scope)
            }
        }
    }

    func configure(
        _ configuration: inout SyncServerConfiguration,
        scope: @escaping @Sendable (RecordReference, JSONObject) -> ScopeName
    ) {
        configuration.scope = { record, object, _ in scope(record, object) }
        configuration.scopes = { principal in
            self.state.withLock { state in
                self.scopes.filter { state.visible[principal.id]?.contains($0) == true }
            }
        }
        configuration.quota = { _, _, _ in
            self.isFull
                ? SyncProblem(type: ProblemType.quota, detail: "There is no room for new records.")
                : nil
        }
        configuration.validate = { _, _, _ in
            self.isRefusing
                ? SyncProblem(type: ProblemType.invalid, detail: "Nothing is good enough today.")
                : nil
        }
    }
}
