extension Store {
    /// The results of a query, as they are now and after each commit that changes them.
    ///
    /// ```swift
    /// for try await notes in store.values(Note.query.order(by: "updatedAt", .descending).limit(50)) {
    ///     show(notes)
    /// }
    /// ```
    ///
    /// - The first value comes at once, exactly one. Then a value comes when the result is another
    ///   one than the last: other records, another order, or a record that its type writes
    ///   differently.
    /// - A commit of many records brings one value at most. A consumer that is slow misses results
    ///   that were overtaken and gets the newest; it makes no writer wait, and nothing queues up
    ///   for it.
    /// - Every value is the result at one snapshot, and none is older than the one before. A write
    ///   that has returned may be observed a moment later, and not at all once the store is closed;
    ///   when writing rests, the last value is what a fetch gives.
    /// - The query is brought up to date on the cooperative pool, never on the consumer's actor or
    ///   a writer's. It costs what the commit has changed; a commit that cannot change the result
    ///   wakes nobody.
    /// - Cancelling the task that iterates, or leaving the loop, ends the observation.
    ///
    /// - Parameter query: The query. With a limit, only that many records and a few more are held.
    /// - Returns: The results; iterating throws as ``StoreValues/Iterator/next()`` says.
    public func values<Row: Record>(_ query: Query<Row>) -> StoreValues<Row> {
        StoreValues(store: self, query: query, coding: .record)
    }

    /// The results of a query as JSON objects, as they are now and after each commit that changes
    /// them; see ``values(_:)-(Query<Row>)``.
    public func values(_ query: Query<JSONObject>) -> StoreValues<JSONObject> {
        StoreValues(store: self, query: query, coding: .object)
    }
}

extension Store {
    /// The number of observations that have begun and not ended.
    package var observerCount: Int { observation.count }

    /// Whether a task tells commits to observers.
    package var isObserved: Bool { observation.isRunning }
}
