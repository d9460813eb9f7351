import Holdfast
import HoldfastStorage

/// The processes of `hold torture sync`: this very program, as people run it.
struct SyncTortureProcesses {
    let directory: TemporaryDirectory
    let clients: Int
    private let executable: String
    private let table = "notes"

    init(clients: Int) throws {
        guard let executable = ownExecutable() else {
            throw Failure("this program's own path is unknown; is /proc mounted?")
        }
        self.executable = executable
        self.clients = clients
        directory = try TemporaryDirectory(prefix: "hold-torture")
    }

    var serverStore: String { "\(directory.path)/server" }

    func store(_ client: Int) -> String { "\(directory.path)/client\(client)" }

    func remove() { directory.remove() }

    /// Starts a sync of a client.
    func sync(_ client: Int, at port: Int, timeout: Int) throws -> ChildProcess {
        try start([
            "sync", store(client), "http://127.0.0.1:\(port)", "--timeout", "\(timeout)",
        ])
    }

    /// Puts a record into a client's store; whether that was acknowledged.
    func put(_ record: JSONObject, in client: Int) throws -> Bool {
        let text = String(decoding: try record.serialized(), as: UTF8.self)
        return try start(["put", store(client), table, text]).wait() == .exited(0)
    }

    /// Changes fields of a client's record; whether that was acknowledged.
    func patch(_ id: String, _ fields: JSONObject, in client: Int) throws -> Bool {
        let text = String(decoding: try fields.serialized(), as: UTF8.self)
        return try start(["patch", store(client), table, id, text]).wait() == .exited(0)
    }

    /// The records of a store, by their ids.
    func records(of store: String) throws -> [String: JSONObject] {
        let path = "\(directory.path)/export"
        let child = try ChildProcess(
            executable,
            arguments: ["export", store, table],
            output: Descriptor(writing: path)
        )
        guard try child.wait() == .exited(0) else { throw Failure("cannot read \(store)") }
        let file = try Descriptor(reading: path)
        var bytes: [UInt8] = []
        while case let more = try file.read(atMost: 1 << 20), !more.isEmpty { bytes += more }
        var records: [String: JSONObject] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let record = try JSONObject(parsing: String(decoding: line, as: UTF8.self))
            records[record["id"]?.stringValue ?? ""] = record
        }
        return records
    }

    /// Starts this program, whose messages nobody wants.
    private func start(_ arguments: [String]) throws -> ChildProcess {
        let nowhere = try Descriptor(writing: "/dev/null")
        return try ChildProcess(
            executable,
            arguments: arguments,
            output: nowhere,
            errors: nowhere
        )
    }
}
