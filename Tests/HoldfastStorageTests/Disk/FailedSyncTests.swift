import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct FailedSyncTests {
    private let disk = SimulatedDisk()

    /// A durable `f` of two sectors of ones, both then overwritten with twos and a sync that fails.
    private func failSync(_ model: FailedSync) throws -> any File {
        let file = try disk.open("f", .createNew)
        try file.write(run(1, 1_024), at: 0)
        try file.sync()
        try disk.syncDirectory("")
        try file.write(run(2, 1_024), at: 0)
        disk.inject(DiskFault(.failedSync(model), on: [.sync]))
        if model == .reportedLate {
            try file.sync()
        } else {
            let error = #expect(throws: SystemCallError.self) { try file.sync() }
            #expect(error?.errno == .inputOutput)
        }
        return file
    }

    private var outcomes: [String] { disk.image().outcomes() }

    @Test func pagesKeptShowNewDataThatNoSecondSyncSaves() throws {
        let file = try failSync(.pagesKept)
        #expect(disk.summary == "f=2x1024")
        #expect(outcomes == ["f=1x1024"])
        try file.sync()
        #expect(outcomes == ["f=1x1024"])
        #expect(disk.image().afterKill().summary == "f=2x1024")
        #expect(disk.image().afterKill().image().outcomes() == ["f=1x1024"])
    }

    @Test func whatIsWrittenAgainAfterAFailedSyncIsSavedByTheNext() throws {
        let file = try failSync(.pagesKept)
        try file.write(run(2, 512), at: 512)
        try file.sync()
        #expect(outcomes == ["f=1x512,2x512"])
    }

    @Test func revertedPagesShowTheOldDataAtOnce() throws {
        let file = try failSync(.pagesReverted)
        #expect(disk.summary == "f=1x1024")
        #expect(outcomes == ["f=1x1024"])
        try file.sync()
        #expect(outcomes == ["f=1x1024"])
    }

    @Test func revertedPagesLeaveTheFileItsSize() throws {
        let file = try disk.open("f", .createNew)
        try disk.syncDirectory("")
        try file.write([1, 2, 3], at: 0)
        disk.inject(DiskFault(.failedSync(.pagesReverted), on: [.sync]))
        #expect(throws: SystemCallError.self) { try file.sync() }
        #expect(try file.contents() == [0, 0, 0])
        #expect(Set(outcomes) == ["f=", "f=0x3"])
    }

    @Test func aPartlyWrittenSyncHasEverySecondSectorOnTheMedium() throws {
        let file = try failSync(.partlyWritten)
        #expect(disk.summary == "f=2x1024")
        #expect(outcomes == ["f=2x512,1x512"])
        try file.sync()
        #expect(outcomes == ["f=2x512,1x512"])
    }

    @Test func aLateReportFailsTheNextSyncOnly() throws {
        let file = try failSync(.reportedLate)
        #expect(outcomes == ["f=1x1024"])
        try file.write(run(3, 512), at: 0)
        #expect(throws: SystemCallError.self) { try file.sync() }
        #expect(outcomes == ["f=1x1024"])
        #expect(disk.summary == "f=3x512,2x512")
        try file.sync()
        #expect(outcomes == ["f=1x1024"])
    }
}
