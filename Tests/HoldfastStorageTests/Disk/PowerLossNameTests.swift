import HoldfastStorage
import HoldfastTesting
import Testing

/// The rules for names: each test states *all* outcomes.
@Suite struct PowerLossNameTests {
    private let disk = SimulatedDisk()

    private func create(_ path: String, _ byte: UInt8) throws {
        let file = try disk.open(path, .createNew)
        try file.write([byte], at: 0)
        try file.sync()
    }

    private var outcomes: Set<String> { Set(disk.image().outcomes(CrashLimits(tears: false))) }

    @Test func aSyncedFileWithAnUnsyncedNameMayVanish() throws {
        try create("a", 1)
        #expect(outcomes == ["", "a=1x1"])
        try disk.syncDirectory("")
        #expect(outcomes == ["a=1x1"])
    }

    @Test func anUnsyncedFileUnderADurableNameMayBeEmpty() throws {
        let file = try disk.open("a", .createNew)
        try file.write([1], at: 0)
        try disk.syncDirectory("")
        #expect(outcomes == ["a=", "a=0x1", "a=1x1"])
    }

    @Test func aDirectoryWithoutItsParentsSyncMayVanishWithAllInIt() throws {
        try disk.createDirectory("d")
        try create("d/a", 1)
        try disk.syncDirectory("d")
        #expect(outcomes == ["", "d/a=1x1"])
        try disk.syncDirectory("")
        #expect(outcomes == ["d/a=1x1"])
    }

    @Test func aRenamedFileHasItsOldNameOrItsNewOne() throws {
        try create("a", 1)
        try disk.syncDirectory("")
        try disk.rename("a", to: "b")
        #expect(outcomes == ["a=1x1", "b=1x1"])
    }

    @Test func aReplacedFileIsThereUntilTheNewOneHasItsName() throws {
        try create("a", 1)
        try disk.syncDirectory("")
        try create("t", 2)
        try disk.rename("t", to: "a")
        #expect(outcomes == ["a=1x1", "a=1x1 t=2x1", "a=2x1"])
    }

    @Test func anUnsyncedRemovalMayComeBack() throws {
        try create("a", 1)
        try disk.syncDirectory("")
        try disk.unlink("a")
        #expect(disk.paths == [])
        #expect(outcomes == ["", "a=1x1"])
        try disk.syncDirectory("")
        #expect(outcomes == [""])
    }

    @Test func namesPersistInAnyOrder() throws {
        try create("a", 1)
        try disk.syncDirectory("")
        try create("b", 2)
        try disk.unlink("a")
        try create("c", 3)
        #expect(
            outcomes == [
                "a=1x1", "", "a=1x1 b=2x1", "b=2x1", "a=1x1 c=3x1", "c=3x1", "a=1x1 b=2x1 c=3x1",
                "b=2x1 c=3x1",
            ]
        )
    }

    @Test func aNewFileTakesARenamedOnesNameOnlyAfterTheRename() throws {
        try create("a", 1)
        try disk.syncDirectory("")
        try disk.rename("a", to: "b")
        try create("a", 2)
        #expect(outcomes == ["a=1x1", "b=1x1", "a=2x1 b=1x1"])
    }

    @Test func aFileRenamedTwiceHasOneName() throws {
        try create("a", 1)
        try disk.syncDirectory("")
        try disk.rename("a", to: "b")
        try disk.rename("b", to: "c")
        #expect(outcomes == ["a=1x1", "b=1x1", "c=1x1"])
    }

    @Test func aLinkedFileHasBothNamesOnceTheirDirectoriesAreSynced() throws {
        try disk.createDirectory("d")
        try create("a", 1)
        try disk.syncDirectory("")
        try disk.link("a", to: "d/b")
        #expect(outcomes == ["a=1x1", "a=1x1 d/b=1x1"])
        try disk.syncDirectory("d")
        #expect(outcomes == ["a=1x1 d/b=1x1"])
        try disk.unlink("a")
        #expect(outcomes == ["a=1x1 d/b=1x1", "d/b=1x1"])
        #expect(throws: SystemCallError.self) { try disk.link("d/b", to: "d/b") }
    }

    @Test func aRenameOfALinkedFileTakesTheOtherNameFromNobody() throws {
        try create("a", 1)
        try disk.syncDirectory("")
        try disk.link("a", to: "b")
        try disk.rename("b", to: "c")
        #expect(outcomes == ["a=1x1", "a=1x1 b=1x1", "a=1x1 c=1x1"])
    }

    @Test func aLinkedFilesUnsyncedBytesAreTheSameUnderBothNames() throws {
        let file = try disk.open("a", .createNew)
        try file.sync()
        try disk.link("a", to: "b")
        try disk.syncDirectory("")
        try file.write([1], at: 0)
        #expect(outcomes == ["a= b=", "a=0x1 b=0x1", "a=1x1 b=1x1"])
    }

    @Test func aSyncOfOneDirectorySaysNothingOfAnother() throws {
        try disk.createDirectory("d")
        try disk.createDirectory("e")
        try disk.syncDirectory("")
        try create("d/a", 1)
        try create("e/b", 2)
        try disk.syncDirectory("e")
        #expect(outcomes == ["e/b=2x1", "d/a=1x1 e/b=2x1"])
    }

    @Test func aCrashOfACrashIsIndependentOfTheFirstDisk() throws {
        try create("a", 1)
        try disk.syncDirectory("")
        let dark = disk.image().afterPowerLoss(seed: 1)
        try dark.unlink("a")
        try dark.syncDirectory("")
        #expect(dark.image().outcomes() == [""])
        #expect(outcomes == ["a=1x1"])
    }
}
