import Holdfast
import Testing

/// What stops the program, because the program is wrong.
@Suite struct ObservationExitTests {
    @Test func twoTasksThatWaitForOneIteratorAreAProgrammersError() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let store = try await Store(storage: MemoryStorage())
            var iterator = store.values(Query("t")).makeAsyncIterator()
            _ = try await iterator.next()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask { [iterator] in
                        var iterator = iterator
                        _ = try? await iterator.next()
                    }
                }
            }
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("serves one task at a time"))
    }
}
