import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct DiskSpaceTests {
    private let disk = SimulatedDisk(capacity: 3 * 4_096)

    private func expectFull<Value>(_ body: () throws -> Value) {
        let error = #expect(throws: SystemCallError.self) { _ = try body() }
        #expect(error?.errno == .noSpace)
    }

    @Test func aFullDiskTakesWhatFitsAndThenNothing() throws {
        let file = try disk.open("a", .createNew)
        #expect(try unsafe file.writeOnce(run(1, 20_000).span.bytes, at: 0) == 12_288)
        expectFull { try file.write([1], at: 12_288) }
        try file.write([2], at: 0)
        #expect(try file.size() == 12_288)
        #expect(disk.usedBytes == 12_288)
    }

    @Test func spaceComesBackByCutRemovalAndCapacity() throws {
        let file = try disk.open("a", .createNew)
        let other = try disk.open("b", .createNew)
        try file.write(run(1, 12_288), at: 0)
        expectFull { try other.write([1], at: 0) }
        try file.setSize(5_000)
        try other.write([1], at: 0)
        expectFull { try other.write([1], at: 4_096) }
        try disk.unlink("a")
        expectFull { try other.write([1], at: 4_096) }
        file.close()
        try other.write(run(1, 8_192), at: 4_096)
        expectFull { try other.write([1], at: 12_288) }
        disk.capacity = 4 * 4_096
        try other.write([1], at: 12_288)
    }

    @Test func reservedSpaceCountsAndIsNeverRefusedLater() throws {
        let file = try disk.open("a", .createNew)
        expectFull { try file.allocate(upTo: 12_289) }
        #expect(try file.size() == 0)
        try file.allocate(upTo: 12_288)
        expectFull { try disk.open("b", .createNew).write([1], at: 0) }
        try file.write(run(1, 12_288), at: 0)
    }

    @Test func holesTakeNoSpace() throws {
        let file = try disk.open("a", .createNew)
        try file.setSize(1 << 40)
        try file.write([1], at: 1 << 30)
        #expect(disk.usedBytes == 4_096)
    }

    @Test func aCrashKeepsTheCapacity() throws {
        let file = try disk.open("a", .createNew)
        try file.write(run(1, 12_288), at: 0)
        try file.sync()
        try disk.syncDirectory("")
        for next in [disk.image().afterKill(), disk.image().afterPowerLoss(seed: 3)] {
            #expect(next.usedBytes == 12_288)
            expectFull { try next.open("b", .createNew).write([1], at: 0) }
        }
    }
}
