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
}
