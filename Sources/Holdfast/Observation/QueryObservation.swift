/// Keeps an observer with its store for as long as someone holds this.
final class QueryObservation<Row: Sendable>: Sendable {
    let observer: QueryObserver<Row>
    private let store: Store

    init(_ values: StoreValues<Row>) throws {
        store = values.store
        let evaluation = try QueryEvaluation(of: values.query, values.coding)
        observer = QueryObserver(evaluation)
        // Before the first snapshot, so that no commit falls between the two.
        try StoreError.translate { try store.observation.add(observer) }
    }

    deinit { store.observation.remove(observer) }
}
