import HoldfastStorage
import HoldfastTesting
import Testing

/// The rules for data and sizes: each test states *all* outcomes, so that the model is neither too
/// kind nor too cruel.
@Suite struct PowerLossDataTests {
    private let disk = SimulatedDisk()

    /// A durable file `f` of these bytes, open for writing.
    private func file(_ bytes: [UInt8]) throws -> any File {
        let file = try disk.open("f", .createNew)
        try file.write(bytes, at: 0)
        try file.sync()
        try disk.syncDirectory("")
        return file
    }

    private func outcomes(_ limits: CrashLimits = CrashLimits()) -> Set<String> {
        Set(disk.image().outcomes(limits))
    }

    @Test func whatIsSyncedUnderASyncedNameStaysAsItIs() throws {
        _ = try file(run(1, 700))
        #expect(disk.image().outcomes() == ["f=1x700"])
    }

    @Test func anUnsyncedSectorIsOldNewZeroOrGarbage() throws {
        try file(run(1, 512)).write(run(2, 512), at: 0)
        #expect(outcomes() == ["f=1x512", "f=2x512", "f=0x512", "f=165x512"])
        #expect(outcomes(CrashLimits(tears: false)) == ["f=1x512", "f=2x512"])
    }

    @Test func aTearNeverAltersBytesOutsideTheWrite() throws {
        try file(run(1, 512)).write(run(2, 100), at: 50)
        #expect(
            outcomes() == [
                "f=1x512", "f=1x50,2x100,1x362", "f=1x50,0x100,1x362", "f=1x50,165x100,1x362",
            ]
        )
    }

    @Test func sectorsPersistInAnyOrder() throws {
        let file = try file(run(1, 1_536))
        try file.write(run(2, 512), at: 0)
        try file.write(run(3, 512), at: 512)
        try file.write(run(4, 512), at: 1_024)
        let expected = [1, 2].flatMap { first in
            [1, 3].flatMap { second in [1, 4].map { [first, second, $0] } }
        }
        let texts = expected.map { bytes in
            SimulatedDisk.summary(of: bytes.flatMap { run(UInt8($0), 512) })
        }
        #expect(outcomes(CrashLimits(tears: false)) == Set(texts))
    }

    @Test func oneWriteOverTwoSectorsCanBeCutBetweenThem() throws {
        try file(run(1, 1_024)).write(run(2, 200), at: 412)
        #expect(
            outcomes(CrashLimits(tears: false)) == [
                "f=1x1024", "f=1x412,2x200,1x412", "f=1x412,2x100,1x512", "f=1x512,2x100,1x412",
            ]
        )
    }

    @Test func aSectorWrittenTwiceHoldsAnyVersionOrATearOfOne() throws {
        let file = try file(run(1, 4))
        try file.write([2, 2], at: 0)
        try file.write([3, 3], at: 1)
        #expect(
            outcomes() == [
                "f=1x4", "f=2x2,1x2", "f=2x1,3x2,1x1",
                "f=0x2,1x2", "f=165x2,1x2", "f=2x1,0x2,1x1", "f=2x1,165x2,1x1",
            ]
        )
    }

    @Test func dataMaySurviveWithoutItsSizeAndASizeWithoutItsData() throws {
        let file = try file(run(1, 100))
        try file.write(run(2, 512), at: 512)
        #expect(
            outcomes() == [
                "f=1x100", "f=1x100,0x924", "f=1x100,0x412,2x512", "f=1x100,0x412,165x512",
            ]
        )
    }

    @Test func everySizeThatAFileHadMayBeKept() throws {
        let file = try file(run(1, 10))
        try file.setSize(20)
        try file.setSize(15)
        #expect(outcomes() == ["f=1x10", "f=1x10,0x10", "f=1x10,0x5"])
    }

    @Test func aLostCutNeverHappenedAndAKeptOneIsWhole() throws {
        let file = try file(run(1, 1_024))
        try file.setSize(300)
        try file.setSize(1_024)
        try file.write(run(2, 512), at: 512)
        #expect(
            outcomes(CrashLimits(tears: false)) == [
                "f=1x1024", "f=1x512,2x512", "f=1x300", "f=1x300,0x724", "f=1x300,0x212,2x512",
            ]
        )
    }

    @Test func reservedSpaceMayBeLostButNothingElse() throws {
        let file = try file(run(1, 10))
        try file.allocate(upTo: 8_192)
        #expect(outcomes() == ["f=1x10", "f=1x10,0x8182"])
        try file.sync()
        #expect(outcomes() == ["f=1x10,0x8182"])
    }

    @Test func aSyncCoversWhatWasWrittenBeforeItOnly() throws {
        let file = try file(run(1, 512))
        try file.write(run(2, 512), at: 0)
        try file.sync()
        try file.write(run(3, 512), at: 0)
        #expect(outcomes(CrashLimits(tears: false)) == ["f=2x512", "f=3x512"])
    }

    @Test func aSyncOfOneFileSaysNothingOfAnother() throws {
        let first = try file(run(1, 512))
        let second = try disk.open("g", .createNew)
        try disk.syncDirectory("")
        try second.write(run(2, 512), at: 0)
        try first.sync()
        #expect(
            outcomes(CrashLimits(tears: false)) == [
                "f=1x512 g=", "f=1x512 g=0x512", "f=1x512 g=2x512",
            ]
        )
    }

    @Test func aKillKeepsWhatWasWrittenAndAPowerLossMayStillTakeIt() throws {
        try file(run(1, 512)).write(run(2, 512), at: 0)
        let killed = disk.image().afterKill()
        #expect(killed.summary == "f=2x512")
        #expect(
            Set(killed.image().outcomes(CrashLimits(tears: false))) == ["f=1x512", "f=2x512"]
        )
        let file = try killed.open("f", .readWrite)
        try file.sync()
        #expect(killed.image().outcomes() == ["f=2x512"])
        #expect(outcomes(CrashLimits(tears: false)) == ["f=1x512", "f=2x512"])
    }

    @Test func manySectorsGoByPatterns() throws {
        try file(run(1, 3_072)).write(run(2, 3_072), at: 0)
        let all = disk.image().outcomes(CrashLimits(independentSectors: 5, tears: false))
        let ones = (0..<6).map { sector in
            (0..<6).map { $0 == sector ? 1 : 2 }.flatMap { run(UInt8($0), 512) }
        }
        #expect(all.first == "f=1x3072")
        #expect(all.last == "f=2x3072")
        #expect(Set(all).isSuperset(of: ones.map { SimulatedDisk.summary(of: $0) }))
        #expect(all.count < 64)
        let every = disk.image().outcomes(CrashLimits(independentSectors: 6, tears: false))
        #expect(Set(every).count == 64)
        #expect(Set(every).isSuperset(of: all))
    }
}

extension SimulatedDisk {
    /// The summary of a disk whose only file is `f` with these bytes.
    fileprivate static func summary(of bytes: [UInt8]) -> String {
        let disk = SimulatedDisk()
        try? disk.replace("f", with: bytes)
        return disk.summary
    }
}
