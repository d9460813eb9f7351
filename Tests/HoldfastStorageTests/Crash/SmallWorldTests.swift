import HoldfastTesting
import Testing

/// A part of each world that `hold torture power` explores in full.
@Suite struct SmallWorldTests {
    private static func worlds(_ unit: SmallWorld.Unit) -> [SmallWorld] {
        SmallWorld.all(of: .journal()).filter { $0.unit == unit }
    }

    @Test func theWorldsAreOfEveryKind() {
        for unit in [SmallWorld.Unit.crashStates, .failures, .damagedStores] {
            #expect(!Self.worlds(unit).isEmpty)
        }
    }

    /// In every file that the store has, whichever these are.
    @Test(arguments: [5, 38])
    func anyOneByteFlippedNeverGivesAWrongValue(part: Int) async throws {
        let world = try #require(Self.worlds(.damagedStores).first)
        #expect(try await world.explore(part: part) > 500)
    }

    @Test func anyFileCutAnywhereNeverGivesAWrongValue() async throws {
        let world = try #require(Self.worlds(.damagedStores).dropFirst().first)
        #expect(try await world.explore(part: 9) > 300)
    }

    @Test func everyKindOfWorldCanBeExploredInParts() async throws {
        for world in SmallWorld.all(of: .journal()) where world.unit != .damagedStores {
            #expect(try await world.explore(part: world.partCount - 1) > 0)
        }
    }
}
