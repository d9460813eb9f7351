import Holdfast
import HoldfastStorage

/// `hold stats`.
struct StatsCommand: Command {
    static let syntax = CommandSyntax(
        "stats",
        "print a store's size and state",
        positionals: [.required("STORE")],
        options: [.json],
        discussion: """
            With --json, one object with these keys, which do not change:
              sequence        the last commit that readers see
              tables          the number of tables
              records         the number of records in all of them
              indexes         the number of declared indexes
              liveBytes       the bytes of all records as they are stored, keys included
              totalBytes      the sizes of all files in the directory, added up, with what is
                              superseded and the space made ready for later commits
              segments        the segment files that hold commits; the one that lies ready and
                              empty behind them does not count, though it is a file
              lastCheckpoint  the sequence number of the last checkpoint, or null
            """,
        example: "hold stats notes.holdfast --json"
    )

    private let path: String

    init(_ arguments: ParsedArguments) { path = arguments.positional(0) }

    func run(_ console: Console) async throws -> ExitStatus {
        let statistics = try await StoreSession.run(at: path, .read) { store in
            try store.read { try Statistics($0, StoreFiles(path)) }
        }
        if console.isJSON {
            try console.append(statistics.object)
        } else {
            for line in statistics.lines { console.output.append(line + "\n") }
        }
        return .done
    }
}

/// What `hold stats` shows.
private struct Statistics {
    private let sequenceNumber: SequenceNumber
    private let tables: [TableDescription]
    private let liveBytes: Int
    private let files: StoreFiles

    init(_ transaction: borrowing ReadTransaction, _ files: StoreFiles) throws {
        sequenceNumber = transaction.sequenceNumber
        tables = try transaction.tables()
        var bytes = 0
        for table in tables { bytes += try transaction.bytes(of: table.name) }
        liveBytes = bytes
        self.files = files
    }

    private var records: Int { tables.reduce(0) { $0 + $1.count } }
    private var indexes: Int { tables.reduce(0) { $0 + $1.indexes.count } }

    var object: JSONObject {
        [
            "sequence": .integer(Int64(clamping: sequenceNumber.rawValue)),
            "tables": .integer(Int64(tables.count)),
            "records": .integer(Int64(records)),
            "indexes": .integer(Int64(indexes)),
            "liveBytes": .integer(Int64(liveBytes)),
            "totalBytes": .integer(Int64(clamping: files.bytes)),
            "segments": .integer(Int64(files.segments)),
            "lastCheckpoint": .null,
        ]
    }

    var lines: [String] {
        [
            "last commit      \(sequenceNumber)",
            "tables           \(tables.count.grouped)",
            "records          \(records.grouped)",
            "indexes          \(indexes.grouped)",
            "live bytes       \(liveBytes.asBytes)",
            "total bytes      \(Int(clamping: files.bytes).asBytes) in "
                + files.count.counted("file") + ", with space made ready for later commits",
            "segments         \(files.segments.grouped)",
            "last checkpoint  none",
        ]
    }
}
