import Foundation
import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Synchronization

/// PROTOCOL.md, and the server that its examples are about.
enum ProtocolDocument {
    static func text() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "PROTOCOL.md"), encoding: .utf8)
    }

    /// The examples of a chapter.
    static func blocks(behind title: String) throws -> [ProtocolBlock] {
        let parts = try text().components(separatedBy: title)
        guard parts.count == 2 else { return [] }
        return parts[1].components(separatedBy: "\n## ")[0]
            .components(separatedBy: "```http\n").dropFirst().compactMap { part in
                part.components(separatedBy: "\n```").first.map { ProtocolBlock($0) }
            }
    }

    /// A server of which every name is known beforehand, which the sessions are played against.
    static func server(knowsSchema: Bool) async throws -> SyncServer {
        var configuration = SyncServerConfiguration()
        let words = Mutex<UInt64>(0)
        configuration.ids = RecordIDGenerator(
            clock: { 1_767_225_600_000 },
            randomness: {
                words.withLock {
                    $0 += 1
                    return $0 &* 0x1111_1111_1111_1111
                }
            }
        )
        configuration.clock = { 1_767_225_600_000 }
        let schema = Schema(version: 1) {
            Table("folders")
            Table("notes") { Reference("folder", to: "folders") }
        }
        return try await SyncServer(
            store: Store(storage: MemoryStorage(), schema: knowsSchema ? schema : nil),
            configuration: configuration
        )
    }
}

/// A request or an answer as the document has it: a line, then perhaps JSON.
struct ProtocolBlock {
    let head: String
    let body: String

    init(_ text: String) {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        head = String(lines[0])
        body = lines.count > 1 ? String(lines[1]) : ""
    }

    var isRequest: Bool { head.hasPrefix("GET ") || head.hasPrefix("POST ") }

    /// The path, and the parameters behind it.
    var target: (path: String, query: [QueryItem]) {
        let words = head.split(separator: " ")
        let parts = words[1].split(separator: "?", maxSplits: 1)
        let items = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
            return QueryItem(pair[0], (pair.count > 1 ? pair[1] : "").removingPercentEncoding ?? "")
        }
        return (String(parts[0]), items)
    }

    /// The request as HTTP has it.
    func request(token: String) -> HTTPRequest {
        let words = head.split(separator: " ")
        var head = HTTPRequestHead(
            method: String(words[0]),
            target: "/" + words[1],
            headers: ["Authorization": "Bearer \(token)"]
        )
        if !body.isEmpty { head.headers.add("Content-Type", "application/json") }
        return HTTPRequest(head, body: Array(body.utf8))
    }
}
