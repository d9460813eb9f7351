public import Observation

/// A query's result that stays up to date: for views.
///
/// ```swift
/// struct NoteList: View {
///     let notes: LiveQuery<Note>          // LiveQuery(Note.query.order(by: "title"), in: store)
///     var body: some View {
///         List(notes.rows) { Text($0.title) }
///     }
/// }
/// ```
///
/// Its owner makes it once and hands it to its views: making one begins to observe.
///
/// It lives on the main actor; the query is brought up to date on the cooperative pool, and only
/// the finished result comes to the main actor. It stops when it is given up.
@MainActor
@Observable
public final class LiveQuery<Row: Sendable> {
    /// The result; empty until ``isLoaded``.
    public private(set) var rows: [Row] = []
    /// Whether the result of ``query`` is there, so that no record means that there is none.
    public private(set) var isLoaded = false
    /// What ended the observation; the last result stays, and setting ``query`` begins again.
    public private(set) var error: (any Error)?
    /// The query; setting it keeps the old result until the new one is there.
    public var query: Query<Row> {
        didSet { start() }
    }

    @ObservationIgnored private let values: @Sendable (Query<Row>) -> StoreValues<Row>
    @ObservationIgnored private var observation: CancelledTask?

    /// Observes a query of typed records.
    public convenience init(_ query: Query<Row>, in store: Store) where Row: Record {
        self.init(query) { store.values($0) }
    }

    /// Observes a query of JSON objects.
    public convenience init(_ query: Query<Row>, in store: Store) where Row == JSONObject {
        self.init(query) { store.values($0) }
    }

    private init(
        _ query: Query<Row>,
        _ values: @escaping @Sendable (Query<Row>) -> StoreValues<Row>
    ) {
        self.query = query
        self.values = values
        start()
    }

    private func start() {
        observation = nil
        isLoaded = false
        error = nil
        let values = values(query)
        let task = Task { [weak self] in
            do {
                for try await rows in values {
                    // A result that was on its way when the query was set is another query's.
                    if Task.isCancelled { return }
                    self?.show(rows)
                }
            } catch {
                if !Task.isCancelled { self?.error = error }
            }
        }
        observation = CancelledTask(task)
    }

    private func show(_ rows: [Row]) {
        self.rows = rows
        isLoaded = true
    }
}

/// A task that is cancelled when this is given up.
///
/// The object on the main actor needs no deinitializer of its own then, which would have to be
/// isolated.
private final class CancelledTask: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
}
