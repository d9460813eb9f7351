import Holdfast
import HoldfastTesting
import Testing

/// Everything that a query does, against brute force over the same records, every plan of it.
@Suite struct QueryTests {
    /// A property: what it finds wrong with a case.
    typealias Property = @Sendable (QueryCase) async throws -> String?

    @Test(arguments: 0..<12 as Range<UInt64>)
    func everyPlanGivesWhatBruteForceGives(seed: UInt64) async throws {
        try await check(seed, cases: 20, QueryProperties.plansAgree)
    }

    @Test(arguments: 100..<108 as Range<UInt64>)
    func pagesOfEveryPlanTogetherAreTheWholeResult(seed: UInt64) async throws {
        try await check(seed, cases: 12, QueryProperties.pagesAreComplete)
    }

    @Test(arguments: 200..<208 as Range<UInt64>)
    func pagingThroughAChangingTableSkipsAndRepeatsNothingThatStays(seed: UInt64) async throws {
        try await check(seed, cases: 12, QueryProperties.pagesStandChanges)
    }

    @Test(arguments: 300..<308 as Range<UInt64>)
    func aTransactionReadsItsOwnWritesByEveryPlan(seed: UInt64) async throws {
        try await check(seed, cases: 12, QueryProperties.ownWritesAreRead)
    }

    /// Tries a property on random cases, and reports the smallest that fails.
    private func check(_ seed: UInt64, cases: Int, _ property: @escaping Property) async throws {
        var world = RandomWorld(seed: seed)
        for _ in 0..<cases {
            let tried = world.queryCase()
            guard try await property(tried) != nil else { continue }
            let smallest = try await QueryCase.shrinker.shrink(tried) {
                try await property($0) != nil
            }
            let finding = try await property(smallest) ?? ""
            Issue.record("seed \(seed)\n\(smallest)\n\(finding)")
            return
        }
    }
}
