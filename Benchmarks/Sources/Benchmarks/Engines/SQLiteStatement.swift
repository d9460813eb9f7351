#if HAS_SQLITE
import CSQLite

/// A prepared statement, used by one thread at a time.
@safe
final class SQLiteStatement {
    private let database: OpaquePointer
    private let statement: OpaquePointer

    init(_ text: String, in database: OpaquePointer) throws {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(database, text, -1, &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else {
            throw unsafe Self.failure(of: database)
        }
        unsafe self.database = unsafe database
        unsafe self.statement = unsafe statement
    }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Runs it with one text and returns what `body` makes of its rows; it is reset afterwards.
    func run<Result>(_ body: (SQLiteStatement) throws -> Result) throws -> Result {
        defer { unsafe sqlite3_reset(statement) }
        return try body(self)
    }

    /// Runs a statement that returns nothing.
    func run() throws {
        try run { statement in
            while try statement.step() {}
        }
    }

    /// Goes to the next row; `false` at the end.
    func step() throws -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        default: throw unsafe Self.failure(of: database)
        }
    }

    /// Sets an integer parameter.
    func bind(_ place: Int32, _ integer: Int64) {
        unsafe sqlite3_bind_int64(statement, place, integer)
    }

    /// Sets a text parameter; the bytes stay valid until the statement has run.
    func bind(_ place: Int32, text: UnsafeRawBufferPointer) {
        let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe sqlite3_bind_text(statement, place, start, Int32(text.count), nil)
    }

    /// An integer of the row.
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    /// Calls `body` with a text of the row.
    func withText<Result>(_ column: Int32, _ body: (RawSpan) throws -> Result) rethrows -> Result {
        let start = unsafe sqlite3_column_text(statement, column)
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return try body(unsafe bytes.bytes)
    }

    /// The error that a database reports.
    static func failure(of database: OpaquePointer) -> Failure {
        unsafe Failure("SQLite: \(String(cString: sqlite3_errmsg(database)))")
    }
}
#endif
