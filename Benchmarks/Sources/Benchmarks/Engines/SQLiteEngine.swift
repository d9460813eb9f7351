#if HAS_SQLITE
import CSQLite
import Foundation

/// SQLite through its C API: a table with the id as its key, an index over the date, statements that
/// are prepared once.
///
/// Committers share one connection, one after the other: that is faster for SQLite than connections
/// that wait for each other's locks.
@safe
final class SQLiteEngine: BlockingEngine, @unchecked Sendable {
    typealias Row = Note
    typealias Key = [UInt8]

    /// The version of the library.
    static var version: String { unsafe String(cString: sqlite3_libversion()) }

    private static let columns = "updatedAt, version, isPinned, isArchived, title, body"

    // All below is used under the lock alone.
    private let lock = NSLock()
    private let database: OpaquePointer
    private var statements: Statements?

    init(at path: String, _ settings: SQLiteSettings) throws {
        var database: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard unsafe sqlite3_open_v2("\(path)/notes.sqlite", &database, flags, nil) == SQLITE_OK,
            let database = unsafe database
        else { throw Failure("SQLite does not open a file") }
        unsafe self.database = unsafe database
        for pragma in settings.pragmas { try execute("PRAGMA \(pragma)") }
        try execute(
            """
            CREATE TABLE IF NOT EXISTS notes (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL,
            body TEXT NOT NULL, updatedAt INTEGER NOT NULL, version INTEGER NOT NULL,
            isPinned INTEGER NOT NULL, isArchived INTEGER NOT NULL)
            """
        )
        try execute("CREATE INDEX IF NOT EXISTS notesByDate ON notes (updatedAt)")
        statements = try unsafe Statements(in: unsafe database)
    }

    func insertBlocking(_ rows: [Note]) throws {
        try transaction(of: rows.count) { statements in
            for row in rows { try store(row, statements.insert) }
        }
    }

    func updateBlocking(_ rows: [Note]) throws {
        try transaction(of: rows.count) { statements in
            for row in rows { try store(row, statements.update) }
        }
    }

    func read(_ keys: [[UInt8]], into tally: inout Tally) throws {
        try transaction(of: keys.count) { statements in
            for key in keys { try read(statements.read, at: key, into: &tally) }
        }
    }

    func newest(_ count: Int, into tally: inout Tally) throws {
        try transaction(of: 1) { statements in
            statements.newest.bind(1, Int64(count))
            try visit(statements.newest, into: &tally)
        }
    }

    func range(from key: [UInt8], _ count: Int, into tally: inout Tally) throws {
        try transaction(of: 1) { statements in
            statements.range.bind(2, Int64(count))
            try read(statements.range, at: key, into: &tally)
        }
    }

    func scan(into tally: inout Tally) throws {
        try transaction(of: 1) { try visit($0.scan, into: &tally) }
    }

    func value(of key: [UInt8]) throws -> [UInt8]? {
        try transaction(of: 1) { statements in
            try unsafe withBytes(key) { text in
                unsafe statements.read.bind(1, text: text)
                return try statements.read.run { try $0.step() ? Self.value($0, key) : nil }
            }
        }
    }

    func newestKeys(_ count: Int) throws -> [[UInt8]] {
        try transaction(of: 1) { statements in
            statements.newestKeys.bind(1, Int64(count))
            return try statements.newestKeys.run { statement in
                var keys: [[UInt8]] = []
                while try statement.step() {
                    keys.append(statement.withText(0) { Array(copying: $0) })
                }
                return keys
            }
        }
    }

    func settle() async throws { try checkpoint() }

    func close() async throws {
        try lock.withLock {
            statements = nil
            guard unsafe sqlite3_close(database) == SQLITE_OK else {
                throw unsafe SQLiteStatement.failure(of: database)
            }
        }
    }
}

extension SQLiteEngine {
    /// The statements, prepared once.
    private struct Statements {
        let begin: SQLiteStatement
        let commit: SQLiteStatement
        let rollback: SQLiteStatement
        let insert: SQLiteStatement
        let update: SQLiteStatement
        let read: SQLiteStatement
        let newest: SQLiteStatement
        let newestKeys: SQLiteStatement
        let range: SQLiteStatement
        let scan: SQLiteStatement

        init(in database: OpaquePointer) throws {
            func prepare(_ text: String) throws -> SQLiteStatement {
                try unsafe SQLiteStatement(text, in: database)
            }
            let notes = "SELECT \(SQLiteEngine.columns) FROM notes"
            begin = try prepare("BEGIN")
            commit = try prepare("COMMIT")
            rollback = try prepare("ROLLBACK")
            insert = try prepare(
                """
                INSERT INTO notes (id, title, body, updatedAt, version, isPinned, isArchived)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """
            )
            update = try prepare(
                """
                UPDATE notes SET title = ?2, body = ?3, updatedAt = ?4, version = ?5,
                isPinned = ?6, isArchived = ?7 WHERE id = ?1
                """
            )
            read = try prepare("\(notes) WHERE id = ?1")
            newest = try prepare("\(notes) ORDER BY updatedAt DESC LIMIT ?1")
            newestKeys = try prepare("SELECT id FROM notes ORDER BY updatedAt DESC LIMIT ?1")
            range = try prepare("\(notes) WHERE id >= ?1 ORDER BY id LIMIT ?2")
            scan = try prepare(notes)
        }
    }

    /// Runs `body` in a transaction; a single statement is one by itself.
    private func transaction<Result>(
        of count: Int,
        _ body: (Statements) throws -> Result
    ) throws -> Result {
        try lock.withLock {
            guard let statements else { throw Failure("SQLite is closed") }
            if count == 1 { return try body(statements) }
            try statements.begin.run()
            do {
                let result = try body(statements)
                try statements.commit.run()
                return result
            } catch {
                try statements.rollback.run()
                throw error
            }
        }
    }

    private func store(_ note: Note, _ statement: SQLiteStatement) throws {
        statement.bind(4, note.updatedAt)
        statement.bind(5, note.version)
        statement.bind(6, note.isPinned ? 1 : 0)
        statement.bind(7, note.isArchived ? 1 : 0)
        try unsafe withBytes(note.key) { key in
            try unsafe withBytes(note.value) { value in
                unsafe statement.bind(1, text: key)
                unsafe statement.bind(2, text: UnsafeRawBufferPointer(rebasing: value[Note.title]))
                unsafe statement.bind(3, text: UnsafeRawBufferPointer(rebasing: value[Note.body]))
                try statement.run()
            }
        }
    }

    private func read(
        _ statement: SQLiteStatement,
        at key: [UInt8],
        into tally: inout Tally
    ) throws {
        try unsafe withBytes(key) { text in
            unsafe statement.bind(1, text: text)
            try visit(statement, into: &tally)
        }
    }

    private func visit(_ statement: SQLiteStatement, into tally: inout Tally) throws {
        try statement.run { statement in
            while try statement.step() {
                statement.withText(4) { tally.look(at: $0) }
                statement.withText(5) { tally.look(at: $0) }
                tally.count(
                    statement.integer(0),
                    statement.integer(1),
                    statement.integer(2) != 0,
                    statement.integer(3) != 0
                )
            }
        }
    }

    private static func value(_ statement: SQLiteStatement, _ key: [UInt8]) -> [UInt8] {
        let fields = NoteFields(
            updatedAt: statement.integer(0),
            version: statement.integer(1),
            isPinned: statement.integer(2) != 0,
            isArchived: statement.integer(3) != 0,
            title: statement.withText(4) { Array(copying: $0) },
            body: statement.withText(5) { Array(copying: $0) }
        )
        return Note(key: key, fields: fields).value
    }

    private func withBytes<Result>(
        _ bytes: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes { try unsafe body($0) }
    }

    private func checkpoint() throws {
        try lock.withLock { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    private func execute(_ text: String) throws {
        guard unsafe sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK else {
            throw unsafe SQLiteStatement.failure(of: database)
        }
    }
}
#endif
