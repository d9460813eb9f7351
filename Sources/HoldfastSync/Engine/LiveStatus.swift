public import Observation

/// An engine's status that stays up to date: for views.
///
/// ```swift
/// struct SyncLabel: View {
///     let live: LiveStatus            // LiveStatus(of: engine)
///     var body: some View { Text(live.status.description) }
/// }
/// ```
///
/// It lives on the main actor, and stops when it is given up.
@MainActor
@Observable
public final class LiveStatus {
    /// The status.
    public private(set) var status: SyncStatus
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Observes an engine, whether or not it runs.
    public init(of engine: SyncEngine) {
        status = engine.status
        let statuses = engine.statuses()
        task = Task { [weak self] in
            for await status in statuses { self?.status = status }
        }
    }

    isolated deinit { task?.cancel() }
}
