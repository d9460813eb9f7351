extension Transaction where Self: ~Copyable {
    /// The least value of a field among the records of a query, or `nil` when none has one.
    ///
    /// Values order as in queries; null and a missing field are no values. A limit and a cursor
    /// count too: only what a fetch would give is looked at.
    ///
    /// - Throws: As `fetch`.
    /// - Complexity: O(log n) with an index that orders the query by the field, else O(m) for the m
    ///   records that a fetch visits, one held at a time.
    public func minimum<Row>(of field: String, in query: Query<Row>) throws -> JSONValue? {
        try extreme(of: field, .ascending, in: query.untyped)
    }

    /// The greatest value of a field among the records of a query, or `nil` when none has one.
    ///
    /// It takes and gives what ``minimum(of:in:)`` does.
    public func maximum<Row>(of field: String, in query: Query<Row>) throws -> JSONValue? {
        try extreme(of: field, .descending, in: query.untyped)
    }

    /// The sum of a field's numbers among the records of a query; 0 when there is none.
    ///
    /// What is no number counts nothing. While all are integers the sum is one too, and exact; with
    /// a double among them it is a double, rounded once, whatever the order of the records. A
    /// limit and a cursor count too.
    ///
    /// - Throws: ``StoreError`` `.numberOutOfRange` when the sum does not fit its kind, or as
    ///   `fetch`.
    /// - Complexity: O(m) for the m records that a fetch visits, in any order and one held at a
    ///   time; with a limit or a cursor that of a fetch.
    public func sum<Row>(of field: String, in query: Query<Row>) throws -> JSONValue {
        guard let sum = try total(of: field, in: query.untyped).sum else {
            throw StoreError.sumOutOfRange(of: field, in: query.table)
        }
        return sum
    }

    /// The mean of a field's numbers among the records of a query, or `nil` when there is none.
    ///
    /// It takes and throws what ``sum(of:in:)`` does.
    public func average<Row>(of field: String, in query: Query<Row>) throws -> Double? {
        let total = try total(of: field, in: query.untyped)
        guard total.count > 0 else { return nil }
        guard let average = total.average else {
            throw StoreError.sumOutOfRange(of: field, in: query.table)
        }
        return average
    }

    /// The first value in an order: of whatever the query gives, or of the first record in it.
    private func extreme(
        of field: String,
        _ direction: FieldOrder.Direction,
        in query: Query<JSONObject>
    ) throws -> JSONValue? {
        var query = query
        if query.limit == nil, query.cursor == nil {
            query = query.unordered.where(field, .differs, .null).order(by: field, direction).limit(
                1
            )
        }
        var extreme: JSONValue?
        try forEachValue(of: field, in: query) { value in
            guard value.order(to: .null) == .after else { return }
            switch (extreme.map { value.order(to: $0) }, direction) {
            case (nil, _), (.before, .ascending), (.after, .descending): extreme = value
            default: break
            }
        }
        return extreme
    }

    private func total(of field: String, in query: Query<JSONObject>) throws -> NumberTotal {
        var total = NumberTotal()
        try forEachValue(of: field, in: query) { total.add($0) }
        return total
    }

    /// Visits a field's values: in any order, unless a limit or a cursor makes the order matter.
    private func forEachValue(
        of field: String,
        in query: Query<JSONObject>,
        _ visit: (JSONValue) -> Void
    ) throws {
        let isWhole = query.limit == nil && query.cursor == nil
        let execution = try QueryExecution(of: isWhole ? query.unordered : query, on: state)
        let step = [FieldOrder(field: field, direction: .ascending)]
        func take(_ key: RawSpan, _ value: RawSpan) throws -> Bool {
            do throws(DocumentError) {
                try execution.filter.values(of: step, in: value).forEach(visit)
            } catch {
                throw StoreError(error, at: key)
            }
            return true
        }
        if isWhole {
            try execution.forEachMatch(inOrder: false, take)
        } else {
            try execution.visitRecords(take)
        }
    }
}

extension StoreError {
    fileprivate static func sumOutOfRange(of field: String, in table: TableName) -> StoreError {
        StoreError(
            .numberOutOfRange,
            "The sum is too large for a number; sum fewer records, or add them up as you visit them.",
            table: table,
            field: field
        )
    }
}
