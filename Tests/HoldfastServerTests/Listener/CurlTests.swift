import Foundation
import Holdfast
import HoldfastServer
import Testing

/// The examples of PROTOCOL.md, typed into a terminal.
@Suite(.enabled(if: Curl.isThere, "curl is not installed"))
struct CurlTests {
    @Test(arguments: [("## A session\n", true), ("## A session of two forms\n", false)])
    func curlGetsTheAnswersOfTheDocument(title: String, knowsSchema: Bool) async throws {
        let served = try await ServedStore(ProtocolDocument.server(knowsSchema: knowsSchema))
        let blocks = try ProtocolDocument.blocks(behind: title)
        var count = 0
        for (request, answer) in zip(blocks, blocks.dropFirst()) where request.isRequest {
            let words = request.head.split(separator: " ")
            let url = "http://127.0.0.1:\(served.listener.port)/\(words[1])"
            let (status, body) = try await Curl.send(url, body: request.body)
            #expect(status == answer.head, "to \(request.head)")
            #expect(try JSONObject(parsing: body) == JSONObject(parsing: answer.body))
            count += 1
        }
        #expect(count >= 5)
    }
}

enum Curl {
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") }

    /// Runs curl as PROTOCOL.md shows it.
    static func send(_ url: String, body: String) async throws -> (status: String, body: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        var arguments = [
            "--silent", "--max-time", "3600", "--noproxy", "*", "--write-out", "\n%{http_code}",
            "--header", "Authorization: Bearer ann", url,
        ]
        if !body.isEmpty {
            arguments += ["--header", "Content-Type: application/json", "--data", body]
        }
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // On a thread of its own: the server needs those of the pool to answer.
        let data = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = try? output.fileHandleForReading.readToEnd()
                continuation.resume(returning: data)
            }
        }
        process.waitUntilExit()
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(parts.last ?? ""), parts.dropLast().joined(separator: "\n"))
    }
}
