import HoldfastStorage
import HoldfastTesting
import Testing

/// Every short history of two keys over several segments, compacted, crashed, and compacted again.
@Suite struct CompactionWorldTests {
    /// Of the large value only one fits into a segment.
    static let steps: [CrashOperation] = [
        .put(1), .delete(1), .put(2, length: 400), .delete(2, .buffered),
    ]

    private static let compact = CrashOperation.action("compact")

    @Test(arguments: steps, steps)
    func noDeletedKeyComesBack(first: CrashOperation, second: CrashOperation) async throws {
        var plan = CrashExplorer.Plan()
        plan.draws = 0
        plan.goesOn = false
        var explorer = CrashExplorer(.journal(), plan)
        // What was put first is deleted, or not, segments later.
        let start: [CrashOperation] = [.put(1), .put(2, length: 400), first, second]
        for third in Self.steps where third != second {
            let operations = start + [Self.compact, third, .put(3, length: 400), Self.compact]
            try await explorer.explore(operations, from: start.count)
        }
        #expect(explorer.tally.moments > 0)
    }
}
