public import Holdfast

/// Who uses the app in a simulation: decides at random, but always the same for the same seed.
///
/// Everything that an operation draws has to come from here: a run with the same seed is then the
/// same run.
public struct SimulatedPerson: Sendable {
    /// From so many of a table's first or last records one is chosen: few, so that edits meet.
    private static let choices = 12

    /// Which replica the person sits at, from 0; -1 for another device that the server serves.
    public let replica: Int
    /// The moment at which the person acts, in milliseconds since 1970 by the device's clock, which
    /// may be wrong.
    public let milliseconds: Int64
    /// The draws.
    public var random: SplitMix64
    private let ids: RecordIDGenerator
    private let name: String
    private var wordCount = 0

    init(
        replica: Int,
        milliseconds: Int64,
        ids: RecordIDGenerator,
        name: String,
        seed: UInt64
    ) {
        self.replica = replica
        self.milliseconds = milliseconds
        self.ids = ids
        self.name = name
        random = SplitMix64(seed: seed)
    }

    /// A word that nobody else uses: where edits meet, it can be told whose won.
    public mutating func word() -> String {
        wordCount += 1
        return wordCount == 1 ? name : "\(name).\(wordCount)"
    }

    /// A number from 0 up to `bound`.
    ///
    /// - Precondition: `bound` is positive.
    public mutating func number(below bound: Int) -> Int { random.next(below: bound) }

    /// Whether something that happens once in so many times happens now.
    public mutating func happens(onceIn times: Int) -> Bool { random.next(below: times) == 0 }

    /// A new record's id, which nobody else makes.
    public func id() -> RecordID { ids.next() }

    /// One of the first twelve records of a query; `nil` where there is none.
    ///
    /// - Throws: `StoreError`.
    public mutating func choose<Row: Record>(
        _ query: Query<Row>,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws -> Row? {
        let rows = try transaction.fetch(query.limit(Self.choices))
        return rows.isEmpty ? nil : rows[random.next(below: rows.count)]
    }

    /// One of the oldest or of the newest records of a type, by their ids; `nil` where there is
    /// none.
    ///
    /// - Throws: `StoreError`.
    public mutating func choose<Row: Record>(
        _ type: Row.Type,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws -> Row? {
        let query = Row.query
        return try choose(
            happens(onceIn: 2) ? query : query.order(by: Row.idField, .descending),
            in: transaction
        )
    }

    /// One of the oldest or of the newest records of a table, by their ids; `nil` where there is
    /// none.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - idField: The field that holds its records' ids.
    ///   - transaction: What to read.
    /// - Returns: The record.
    /// - Throws: `StoreError`.
    public mutating func choose(
        from table: TableName,
        idField: String = "id",
        in transaction: borrowing some Transaction & ~Copyable
    ) throws -> JSONObject? {
        let isNewest = happens(onceIn: 2)
        let count = min(Self.choices, try transaction.count(of: table))
        guard count > 0 else { return nil }
        // What stands behind the chosen one need not be read.
        let query = Query(table).limit(1 + random.next(below: count))
        return try transaction.fetch(isNewest ? query.order(by: idField, .descending) : query).last
    }
}
