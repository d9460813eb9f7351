import HoldfastCommand
import Testing

/// What the compiler refuses, so that no program can do it.
@Suite struct CompilerTests {
    private static func program(_ body: String) -> String {
        """
        import Holdfast
        func program(_ store: Store) async throws {
            \(body)
        }
        """
    }

    @Test(
        arguments: [
            (
                "try await store.write { transaction in _ = try transaction.put([:], in: \"t\") }",
                nil
            ),
            (
                """
                var kept: WriteTransaction?
                try await store.write { transaction in kept = transaction }
                """,
                "is consuming"
            ),
            (
                "try await store.write { transaction in _ = consume transaction }",
                "missing reinitialization of inout parameter"
            ),
            (
                """
                try store.read { transaction in
                    let kept = ReadTransaction?.some(transaction)
                    _ = kept
                }
                """,
                "is borrowed and cannot be consumed"
            ),
            (
                """
                try await store.write { transaction in
                    Task { _ = try transaction.put([:], in: "t") }
                }
                """,
                "escaping closure captures 'inout' parameter"
            ),
            (
                """
                try await store.write { transaction in
                    try await store.write { inner in _ = try inner.put([:], in: "t") }
                }
                """,
                "to parameter expecting synchronous function type"
            ),
            (
                "try store.read { transaction in _ = try transaction.put([:], in: \"t\") }",
                "has no member 'put'"
            ),
        ] as [(String, String?)]
    )
    func aTransactionStaysInItsClosureAndWritesDoNotNest(
        body: String,
        error: String?
    ) throws {
        let outcome = try Hold().compile(Self.program(body))
        if let error {
            #expect(outcome.errors.contains(error), "\(outcome.errors)")
            #expect(outcome.ending != .exited(0))
        } else {
            #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        }
    }
}
