/// The results of a query, one after the other: the present one, then each that differs.
///
/// ``Store/values(_:)-(Query<Row>)`` makes it. Every iterator observes by itself, from its first
/// `next()` on until it is given up; it serves one task.
public struct StoreValues<Row: Sendable>: AsyncSequence, Sendable {
    let store: Store
    let query: Query<Row>
    let coding: RowCoding<Row>

    /// An iterator that begins with the result at its first `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

    /// Waits for the results, one after the other.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let values: StoreValues
        private var observation: QueryObservation<Row>?

        init(values: StoreValues) { self.values = values }

        /// The next result: the first at once, another when a commit has changed it.
        ///
        /// Results that were overtaken while nobody asked are left out; the newest one is never.
        ///
        /// - Throws: `CancellationError`, after which it can be asked again; ``StoreError``, which
        ///   ends the observation: `.invalidQuery`, `.invalidCursor`, `.wrongType` at a record that
        ///   does not fit the type, `.closed` once the store is.
        /// - Precondition: No other task waits for this iterator.
        @concurrent
        public mutating func next() async throws -> [Row]? {
            let observation = try observation ?? QueryObservation(values)
            self.observation = observation
            return try await observation.observer.next()
        }
    }
}
