import Holdfast
import HoldfastStorage
import Synchronization

/// A recorder that remembers what it was told, and keeps the number of writes in the store.
final class WriteLog: TransactionRecorder, TableRecording {
    struct Line: Hashable {
        var table: TableName
        var id: RecordID
        var before: JSONObject?
        var after: JSONObject?
        var intent: String?
    }

    struct Intent: RecordedIntent {
        var name: String
    }

    struct Refusal: Error {}

    static let key = SystemSpace.sync.prefix + [1]
    private let tables: Set<TableName>
    private let state = Mutex<(calls: [[Line]], atomic: [Bool], refuses: Bool)>(([], [], false))

    init(_ tables: Set<TableName>) { self.tables = tables }

    /// What it was told, transaction by transaction.
    var calls: [[Line]] { state.withLock(\.calls) }
    var atomic: [Bool] { state.withLock(\.atomic) }
    var last: [Line] { calls.last ?? [] }

    func refuse() { state.withLock { $0.refuses = true } }

    func makeRecorder(for schema: Schema) throws -> any TransactionRecorder { self }

    func records(_ table: TableName) -> Bool { tables.contains(table) }

    func record(_ writes: RecordedWrites, in transaction: inout WriteTransaction) throws {
        if state.withLock(\.refuses) { throw Refusal() }
        let lines = try writes.writes.map { write in
            Line(
                table: write.table,
                id: write.id,
                before: try write.before.map { try Document.decode($0) },
                after: try write.after.map { try Document.decode($0) },
                intent: (write.intent as? Intent)?.name
            )
        }
        state.withLock {
            $0.calls.append(lines)
            $0.atomic.append(writes.isAtomicOnServer)
        }
        let count = try transaction.systemValue(for: Self.key)?.first ?? 0
        try transaction.putSystem([count + UInt8(lines.count)], for: Self.key)
        try transaction.put(["id": "seen"], in: "notes")
    }

    func hasForm(
        _ form: Int,
        _ id: RecordID,
        in table: TableName,
        _ transaction: borrowing WriteTransaction
    ) -> Bool { id == "newer" }

    func transform(
        _ table: TableName,
        to form: Int,
        in transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws {
        var kept: JSONObject = ["id": "kept", "a": 1]
        try body(&kept, &transaction)
        let line = Line(table: table, id: "kept", before: nil, after: kept, intent: nil)
        state.withLock { $0.calls.append([line]) }
    }
}
