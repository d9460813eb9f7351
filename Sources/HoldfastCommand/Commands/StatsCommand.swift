import Holdfast
import HoldfastStorage

/// `hold stats`.
struct StatsCommand: Command {
    static let syntax = CommandSyntax(
        "stats",
        "print a store's size, state and schema",
        positionals: [.required("STORE")],
        options: [.json],
        discussion: """
            With --json, one object with these keys, which do not change:
              sequence        the last commit that readers see
              tables          the number of tables
              records         the number of records in all of them
              indexes         the number of declared indexes
              liveBytes       the bytes of journal that the current records take
              totalBytes      the sizes of all files in the directory, added up, with what is
                              superseded and the space made ready for later commits
              journalBytes    the bytes of journal: what is live, and what is superseded
              garbage         the part of the journal that is superseded, from 0 to 1
              segments        the segment files that hold commits; the one that lies ready and
                              empty behind them does not count, though it is a file
              lastCheckpoint  the sequence number of the last checkpoint, or null
              checkpointBytes its size, or 0
              tailBytes       the bytes of journal behind it, which opening the store reads
              feedFloor       commits up to this one are no longer in the change feed
              store           the store's identity, which its backups share
              replica         which replica of the store it is
              schemaVersion   the version of the schema that an app opened it with last, or null
              stepsRun        the steps that migrated it, in their order: name, and from, the
                              version that it started from
              betweenSteps    whether a step of the same version has yet to run
              schema          the tables: table, idField, records, indexes (kind: ordered,
                              unique or words, and fields), references (field, table, onDelete)
            Whether an app's newest schema opens the store takes the app: its tests can tell,
            with MigrationCheck of HoldfastTesting.
            """,
        example: "hold stats notes.holdfast --json"
    )

    private let path: String

    init(_ arguments: ParsedArguments) { path = arguments.positional(0) }

    func run(_ console: Console) async throws -> ExitStatus {
        let statistics = try await StoreSession.run(at: path, .read) { store in
            try Statistics(store)
        }
        if console.isJSON {
            try console.append(statistics.object)
        } else {
            for line in statistics.lines { console.output.append(line + "\n") }
            console.output.append("\n")
            console.append(statistics.table)
        }
        return .done
    }
}

/// What `hold stats` shows.
private struct Statistics {
    private let sequenceNumber: SequenceNumber
    private let tables: [TableDescription]
    private let schema: StoredSchema?
    private let journal: StorageStatistics
    private let store: String
    private let replica: String

    init(_ store: Store) throws {
        journal = try store.statistics() ?? StorageStatistics()
        self.store = store.storeID?.description ?? ""
        replica = store.replicaID?.description ?? ""
        let (number, tables, schema) = try store.read { transaction in
            (
                transaction.sequenceNumber, try transaction.tables(),
                try transaction.storedSchema()
            )
        }
        (sequenceNumber, self.tables, self.schema) = (number, tables, schema)
    }

    private var records: Int { tables.reduce(0) { $0 + $1.count } }
    private var indexes: Int { tables.reduce(0) { $0 + $1.indexes.count } }

    var object: JSONObject {
        [
            "sequence": .integer(Int64(clamping: sequenceNumber.rawValue)),
            "tables": .integer(Int64(tables.count)),
            "records": .integer(Int64(records)),
            "indexes": .integer(Int64(indexes)),
            "liveBytes": .integer(Int64(clamping: journal.liveBytes)),
            "totalBytes": .integer(Int64(clamping: journal.files.bytes)),
            "journalBytes": .integer(Int64(clamping: journal.journalBytes)),
            "garbage": .double(journal.garbageRatio),
            "segments": .integer(Int64(journal.segments)),
            "lastCheckpoint": journal.checkpoint
                .map { .integer(Int64(clamping: $0.last.rawValue)) } ?? .null,
            "checkpointBytes": .integer(Int64(clamping: journal.checkpoint?.bytes ?? 0)),
            "tailBytes": .integer(
                Int64(clamping: journal.checkpoint?.tailBytes ?? journal.journalBytes)
            ),
            "feedFloor": .integer(Int64(clamping: journal.feedFloor.rawValue)),
            "store": .string(store),
            "replica": .string(replica),
            "schemaVersion": schema.map { .integer(Int64($0.version)) } ?? .null,
            "stepsRun": .array((schema?.steps ?? []).map { .object($0.object) }),
            "betweenSteps": .bool(schema?.isBetweenSteps ?? false),
            "schema": .array(tables.map { .object($0.schemaObject) }),
        ]
    }

    var lines: [String] {
        [
            "last commit      \(sequenceNumber)",
            "tables           \(tables.count.grouped)",
            "records          \(records.grouped)",
            "indexes          \(indexes.grouped)",
            "live bytes       \(Int(clamping: journal.liveBytes).asBytes)",
            "total bytes      \(Int(clamping: journal.files.bytes).asBytes) in "
                + journal.files.count.counted("file")
                + ", with space made ready for later commits",
            "journal          \(Int(clamping: journal.journalBytes).asBytes) in "
                + journal.segments.counted("segment")
                + ", \((journal.garbageRatio * 100).rounded1) % of it superseded",
            "last checkpoint  \(checkpointText)",
            "feed floor       \(journal.feedFloor)",
            "store            \(store)",
            "replica          \(replica == store ? "the first" : replica)",
            "schema version   \(schema.map { String($0.version) } ?? "none")",
            "steps run        \(steps)",
        ]
    }

    private var checkpointText: String {
        guard let checkpoint = journal.checkpoint else { return "none" }
        return "of commit \(checkpoint.last), \(Int(clamping: checkpoint.bytes).asBytes), "
            + "\(Int(clamping: checkpoint.tailBytes).asBytes) of journal behind it"
    }

    private var steps: String {
        guard let schema, !schema.steps.isEmpty else { return "none" }
        let steps = schema.steps.map { "\($0.name.withoutControls) (from \($0.version))" }
        let more = schema.isBetweenSteps ? ", and more to run" : ""
        return steps.joined(separator: ", ") + more
    }

    /// The tables with what is declared of them.
    var table: TextTable {
        var table = TextTable([
            .init("table"), .init("records", isNumeric: true), .init("id field"), .init("indexes"),
            .init("references"),
        ])
        for description in tables {
            table.append([
                description.name.text, description.count.grouped, description.idField,
                description.indexText, description.referenceText,
            ])
        }
        return table
    }
}

extension TableDescription {
    fileprivate var schemaObject: JSONObject {
        [
            "table": .string(name.text),
            "idField": .string(idField),
            "records": .integer(Int64(count)),
            "indexes": indexValue,
            "references": referenceValue,
        ]
    }
}
