import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct SimulatedDiskTests {
    private let disk = SimulatedDisk()

    @Test func aRecordingHoldsEveryCallAndTheDiskBeforeEachChange() throws {
        disk.startRecording(images: true)
        let file = try disk.open("a", .createNew)
        try file.write([1, 2], at: 3)
        _ = try file.size()
        try file.sync()
        try disk.syncDirectory("")
        file.close()
        let recording = disk.recording
        #expect(
            recording.calls.map(\.description) == [
                "open a", "pwrite a 3+2", "fstat a", "fdatasync a", "fsync ", "close a",
            ]
        )
        #expect(
            recording.images.map(\.nextCall?.kind) == [.open, .write, .sync, .syncDirectory]
        )
        #expect(recording.images.map(\.mutations) == [0, 1, 2, 3])
        #expect(recording.images.map { $0.afterKill().paths } == [[], ["a"], ["a"], ["a"]])
        #expect(recording.images.map { $0.outcomes().count } == [1, 2, 5, 2])
        #expect(disk.image().outcomes() == ["a=0x3,1x1,2x1"])
    }

    @Test func countersCountCallsAndBytes() throws {
        let file = try disk.open("a", .createNew)
        try file.write(run(1, 100), at: 0)
        _ = try file.read(count: 200, at: 50)
        try file.sync()
        try disk.syncDirectory("")
        var expected = DiskCounters()
        expected.calls = 6
        expected.mutations = 4
        expected.writes = 1
        expected.bytesWritten = 100
        expected.reads = 2
        expected.bytesRead = 50
        expected.syncs = 1
        expected.directorySyncs = 1
        #expect(disk.counters == expected)
    }

    @Test func openingAFileThatIsThereChangesNothing() throws {
        _ = try disk.open("a", .createIfMissing)
        disk.startRecording(images: true)
        _ = try disk.open("a", .createIfMissing)
        _ = try disk.open("a", .readWrite)
        #expect(disk.recording.images.isEmpty)
    }

    @Test func aCrashFreesEveryLockAndForgetsUnnamedFiles() throws {
        let file = try disk.open("a", .createNew)
        #expect(try file.tryLock(.exclusive))
        try disk.syncDirectory("")
        let unnamed = try disk.open("b", .createNew)
        try unnamed.write([1], at: 0)
        try disk.unlink("b")
        #expect(disk.usedBytes == 4_096)
        for next in [disk.image().afterKill(), disk.image().afterPowerLoss(seed: 0)] {
            #expect(next.usedBytes == 0)
            #expect(try next.open("a", .readWrite).tryLock(.exclusive))
        }
        #expect(try disk.open("a", .readWrite).tryLock(.exclusive) == false)
    }

    @Test func damageIsDurableAtOnceAndAsAsked() throws {
        try disk.createDirectory("d")
        try disk.syncDirectory("")
        try disk.replace("d/a", with: [0, 1, 2, 3])
        try disk.flipBit(9, of: "d/a")
        #expect(try disk.contents(of: "d/a") == [0, 3, 2, 3])
        try disk.truncate("d/a", to: 3)
        try disk.fill(1..<99, of: "d/a", with: 7)
        try disk.duplicate("d/a", as: "d/b")
        try disk.truncate("d/b", to: 4)
        #expect(disk.image().outcomes() == ["d/a=0x1,7x2 d/b=0x1,7x2,0x1"])
        try disk.swap("d/a", "d/b")
        try disk.remove("d/b")
        #expect(disk.image().outcomes() == ["d/a=0x1,7x2,0x1"])
        #expect(throws: SystemCallError.self) { try disk.flipBit(32, of: "d/a") }
        #expect(throws: SystemCallError.self) { try disk.truncate("d/none", to: 0) }
    }

    @Test func aRenameIntoAnotherDirectoryIsRefused() throws {
        try disk.createDirectory("d")
        _ = try disk.open("a", .createNew)
        let error = #expect(throws: SystemCallError.self) { try disk.rename("a", to: "d/a") }
        #expect(error?.errno == .crossesDevices)
        #expect(disk.paths == ["a"])
    }

    @Test func theSameSeedGivesTheSameDiskAndSeedsDiffer() throws {
        let file = try disk.open("a", .createNew)
        try disk.syncDirectory("")
        for index in 0..<20 { try file.write(run(UInt8(index + 1), 512), at: UInt64(index) * 512) }
        let first = (0..<64).map { disk.image().afterPowerLoss(seed: $0).summary }
        let second = (0..<64).map { disk.image().afterPowerLoss(seed: $0).summary }
        #expect(first == second)
        #expect(Set(first).count > 30)
        #expect(first.contains("a="))
        #expect(first.contains(disk.summary))
    }

    @Test func theEnumeratorVisitsEveryCombinationOnce() {
        var outcomes = CrashEnumerator()
        var visited: [[Int]] = []
        repeat {
            let first = outcomes.choose(from: 3)
            let second = first == 1 ? [outcomes.choose(from: 2)] : []
            visited.append([first] + second + [outcomes.choose(from: 1)])
        } while outcomes.advance()
        #expect(visited == [[0, 0], [1, 0, 0], [1, 1, 0], [2, 0]])
        #expect(outcomes.count == 4)
    }

    @Test func anImageCostsNoCopyAndNeverChanges() throws {
        let file = try disk.open("a", .createNew)
        try file.write(run(1, 1 << 20), at: 0)
        disk.startRecording(images: true)
        for index in 0..<1_000 { try file.write([2], at: UInt64(index)) }
        let images = disk.recording.images
        #expect(images.count == 1_000)
        for (index, image) in images.enumerated() where index % 100 == 0 {
            let bytes = try image.afterKill().contents(of: "a")
            #expect(bytes[..<1_000].firstIndex(of: 1) == index)
        }
    }
}
