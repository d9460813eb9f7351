import FuzzTargets
import HoldfastTesting
import Testing

/// A short run of what `dev/fuzz` does for long, with inputs that a seed decides.
struct FuzzTests {
    @Test(arguments: FuzzTarget.names, [1, 2] as [UInt64])
    func noInputMakesADecoderTrapOrLie(name: String, seed: UInt64) async throws {
        let target = try #require(try await FuzzTarget.named(name))
        for input in target.seeds { try await target.run(input) }
        var mutator = SeededMutator(target, seed: seed)
        for number in 0..<400 {
            let input = mutator.next()
            do {
                try await target.run(input)
            } catch {
                Issue.record("\(name), seed \(seed), input \(number): \(error) for \(input)")
            }
        }
    }

    @Test func noOtherTargetHasAName() async throws {
        #expect(try await FuzzTarget.named("none") == nil)
    }
}
