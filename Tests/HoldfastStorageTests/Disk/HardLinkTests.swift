import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct HardLinkTests {
    private static func disk() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        try disk.createDirectory("a")
        try disk.createDirectory("b")
        let file = try disk.open("a/one", .createNew)
        try file.write([1, 2, 3], at: 0)
        try file.sync()
        for path in ["a", ""] { try disk.syncDirectory(path) }
        return disk
    }

    @Test func bothNamesAreOneFileUntilTheLastOneGoes() throws {
        let disk = try Self.disk()
        try disk.link("a/one", to: "b/two")
        try disk.open("a/one", .readWrite).write([9], at: 0)
        #expect(try disk.contents(of: "b/two") == [9, 2, 3])
        #expect(disk.usedBytes == 4_096)
        try disk.unlink("a/one")
        #expect(try disk.contents(of: "b/two") == [9, 2, 3])
        try disk.unlink("b/two")
        #expect(disk.usedBytes == 0)
    }

    @Test func aNameThatIsTakenOrADirectoryIsRefused() throws {
        let disk = try Self.disk()
        #expect(throws: SystemCallError(call: "link", path: "a/one", errno: .exists)) {
            try disk.link("a/one", to: "b")
        }
        #expect(throws: SystemCallError(call: "link", path: "a", errno: .isADirectory)) {
            try disk.link("a", to: "b/two")
        }
        #expect(throws: SystemCallError(call: "link", path: "a/no", errno: .notFound)) {
            try disk.link("a/no", to: "b/two")
        }
    }

    @Test func aPowerLossKeepsTheFirstNameAndTheSecondOnceItsDirectoryIsSynced() throws {
        let disk = try Self.disk()
        try disk.link("a/one", to: "b/two")
        try disk.rename("b/two", to: "b/three")
        var outcomes = CrashEnumerator()
        var found: Set<[String]> = []
        repeat {
            let crashed = disk.image().afterPowerLoss(using: &outcomes)
            found.insert(crashed.paths)
        } while outcomes.advance()
        #expect(found == [["a/one"], ["a/one", "b/two"], ["a/one", "b/three"]])
        try disk.syncDirectory("b")
        let crashed = disk.image().afterPowerLoss(seed: 1)
        #expect(crashed.paths == ["a/one", "b/three"])
        #expect(try crashed.contents(of: "b/three") == [1, 2, 3])
    }

    @Test func whatWasNotSyncedIsDecidedOnceForBothNames() throws {
        let disk = try Self.disk()
        try disk.link("a/one", to: "b/two")
        try disk.syncDirectory("b")
        try disk.open("a/one", .readWrite).write([7], at: 0)
        for seed in 0..<20 {
            let crashed = disk.image().afterPowerLoss(seed: UInt64(seed))
            #expect(try crashed.contents(of: "a/one") == crashed.contents(of: "b/two"))
        }
    }

    @Test func secondNamesInOneDirectoryAreRenamedAlone() throws {
        let disk = try Self.disk()
        try disk.link("a/one", to: "a/two")
        try disk.rename("a/two", to: "a/three")
        #expect(disk.paths == ["a/one", "a/three"])
        for seed in 0..<20 {
            #expect(disk.image().afterPowerLoss(seed: UInt64(seed)).paths.contains("a/one"))
        }
    }

    @Test func onlyAnEmptyDirectoryIsRemoved() throws {
        let disk = try Self.disk()
        #expect(throws: SystemCallError(call: "rmdir", path: "a", errno: .notEmpty)) {
            try disk.removeDirectory("a")
        }
        try disk.removeDirectory("b")
        #expect(try disk.kind(of: "b") == nil)
    }
}
