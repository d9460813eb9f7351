import Foundation
import Holdfast
import Testing

@Suite("Stack depth")
struct StackDepthTests {
    /// Runs `body` on a thread with the stack that systems give to tasks.
    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    @Test(arguments: [("[", "1", "]"), ("{\"a\":", "1", "}")])
    func theDeepestValueFitsASmallStackEverywhere(
        open: String,
        core: String,
        close: String
    ) async throws {
        let depth = JSONValue.nestingLimit
        let text =
            String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
        try await onSmallStack {
            let value = try JSONValue(parsing: text)
            let other = try JSONValue(parsing: value.serialized(pretty: true))
            #expect(value == other)
            #expect(value.hashValue == other.hashValue)
            #expect(value.order(to: other) == .same)
            let document = try Document.encode(["a": value])
            #expect(try Document.decode(document)["a"] == value)
        }
    }

    /// A list, or a list of optionals: types that recurse as deep as their values.
    final class Link: Codable {
        var next: [Link?]?
        init(_ next: Link?) { self.next = next.map { [$0] } }
    }

    @Test
    func theDeepestTypedValueFitsASmallStack() async throws {
        // Each link is an object and an array.
        let depth = JSONValue.nestingLimit / 2
        try await onSmallStack {
            var link = Link(nil)
            for _ in 0..<depth { link = Link(link) }
            let document = try DocumentEncoder.encode(link).bytes
            var read = try DocumentDecoder.decode(Link.self, from: document)
            for _ in 0..<depth { read = try #require(read.next?.first ?? nil) }
            #expect(read.next == nil)
            #expect(throws: JSONError.self) { try DocumentEncoder.encode(Link(link)) }
        }
    }

    @Test
    func aHostileDocumentDoesNotExhaustTheStackOfARecursiveType() async throws {
        var document: [UInt8] = []
        for _ in 0..<2_000 {
            let list = [9] + length(of: document) + document
            document = [4] + Array("next".utf8) + list
            document = [10] + length(of: document) + document
        }
        let hostile = [1, 4] + Array("next".utf8) + [9] + length(of: document) + document
        try await onSmallStack {
            #expect(throws: DocumentError.self) {
                try DocumentDecoder.decode(Link.self, from: hostile)
            }
        }
    }

    private func length(of bytes: [UInt8]) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
    }
}
