import Foundation
import Holdfast
import HoldfastServer
import HoldfastSync
import Testing

/// PROTOCOL.md tells the truth: its session is played against the server.
struct ProtocolDocumentTests {
    @Test(arguments: [("## A session\n", true), ("## A session of two forms\n", false)])
    func everyAnswerOfTheSessionIsWhatTheServerGives(
        _ title: String,
        knowsSchema: Bool
    ) async throws {
        let blocks = try ProtocolDocument.blocks(behind: title)
        #expect(blocks.count >= (knowsSchema ? 30 : 10))
        let session = try await ProtocolSession(knowsSchema: knowsSchema)
        for (request, answer) in zip(blocks, blocks.dropFirst()) where request.isRequest {
            let (status, body) = try await session.answer(request)
            #expect(String(status) == answer.head, "to \(request.head)")
            #expect(try body == JSONObject(parsing: answer.body), "to \(request.head)")
        }
    }

    @Test func everyKindOfMessageStandsInTheSession() throws {
        let blocks = try ProtocolDocument.blocks(behind: "## A session\n")
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
        let count = try ProtocolDocument.text().components(separatedBy: "```http\n").count - 1
        let played = try ["## A session\n", "## A session of two forms\n"].map {
            try ProtocolDocument.blocks(behind: $0).count
        }
        #expect(played.reduce(0, +) == count)
    }
}

/// A server of which every name is known beforehand.
private struct ProtocolSession {
    let server: SyncServer
    private let principal = Principal("ann")

    init(knowsSchema: Bool) async throws {
        server = try await ProtocolDocument.server(knowsSchema: knowsSchema)
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
