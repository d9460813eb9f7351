import Foundation
import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Synchronization
import Testing

/// PROTOCOL.md tells the truth: its session is played against the server.
struct ProtocolDocumentTests {
    @Test(arguments: [("## A session\n", true), ("## A session of two forms\n", false)])
    func everyAnswerOfTheSessionIsWhatTheServerGives(
        _ title: String,
        knowsSchema: Bool
    ) async throws {
        let blocks = try Self.blocks(behind: title)
        #expect(blocks.count >= (knowsSchema ? 30 : 10))
        let session = try await ProtocolSession(knowsSchema: knowsSchema)
        for (request, answer) in zip(blocks, blocks.dropFirst()) where request.isRequest {
            let (status, body) = try await session.answer(request)
            #expect(String(status) == answer.head, "to \(request.head)")
            #expect(try body == JSONObject(parsing: answer.body), "to \(request.head)")
        }
    }

    @Test func everyKindOfMessageStandsInTheSession() throws {
        let blocks = try Self.blocks(behind: "## A session\n")
        let heads = blocks.map(\.head)
        for path in ["hello", "push", "changes", "snapshot", "records"] {
            #expect(heads.contains { $0.contains("sync/\(path)") }, "\(path)")
        }
        let text = blocks.map(\.body).joined()
        for word in PushResult.Status.words + ServerChange.Kind.words {
            #expect(text.contains("\"\(word)\""), "\(word)")
        }
    }

    @Test func noExampleStandsOutsideOfTheSessions() throws {
        let count = try Self.text().components(separatedBy: "```http\n").count - 1
        let played = try ["## A session\n", "## A session of two forms\n"].map {
            try Self.blocks(behind: $0).count
        }
        #expect(played.reduce(0, +) == count)
    }

    private static func text() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "PROTOCOL.md"), encoding: .utf8)
    }

    /// The examples of a chapter.
    private static func blocks(behind title: String) throws -> [ProtocolBlock] {
        let parts = try text().components(separatedBy: title)
        let chapter = try #require(parts.last).components(separatedBy: "\n## ")[0]
        return chapter.components(separatedBy: "```http\n").dropFirst().compactMap { part in
            part.components(separatedBy: "\n```").first.map { ProtocolBlock($0) }
        }
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
}

/// A server of which every name is known beforehand.
private struct ProtocolSession {
    let server: SyncServer
    private let principal = Principal("ann")

    init(knowsSchema: Bool) async throws {
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
        server = try await SyncServer(
            store: Store(storage: MemoryStorage(), schema: knowsSchema ? schema : nil),
            configuration: configuration
        )
    }

    /// What the server answers, as the document would have it.
    func answer(_ block: ProtocolBlock) async throws -> (status: Int, body: JSONObject) {
        do {
            return (200, try await json(block))
        } catch let refusal as ServerRefusal {
            let hello = try await server.hello(principal: principal)
            let body = refusal.problem.refusal(
                status: refusal.status,
                dataset: hello.dataset,
                epoch: hello.epoch
            )
            return (refusal.status, body)
        }
    }

    private func json(_ block: ProtocolBlock) async throws -> JSONObject {
        let (path, query) = block.target
        switch path {
        case "sync/hello": return try await server.hello(principal: principal).json
        case "sync/push":
            let request = try PushRequest(text: Array(block.body.utf8))
            return try await server.push(request, principal: principal).json
        case "sync/changes":
            return try await server.changes(ChangesRequest(query: query), principal: principal).json
        case "sync/snapshot":
            return try await server.snapshot(SnapshotRequest(query: query), principal: principal)
                .json
        case "sync/records":
            return try await server.records(RecordsRequest(query: query), principal: principal).json
        default:
            Issue.record("there is no \(path)")
            return [:]
        }
    }
}

extension PushResult.Status {
    fileprivate static let words = [
        "applied", "replayed", "merged", "noop", "conflict", "rejected", "deferred", "expired",
    ]
}

extension ServerChange.Kind {
    fileprivate static let words = ["put", "del"]
}
