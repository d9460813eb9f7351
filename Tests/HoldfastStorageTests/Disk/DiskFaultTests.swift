import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct DiskFaultTests {
    private let disk = SimulatedDisk()

    private func errno<Value>(_ body: () throws -> Value) -> SystemErrorNumber? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? SystemCallError)?.errno
        }
    }

    @Test func aFaultMeetsTheNthCallOnceAndDoesNothingOfIt() throws {
        let file = try disk.open("a", .createNew)
        disk.inject(DiskFault(.error(.noSpace), on: [.write], after: 1))
        try file.write([1], at: 0)
        try file.sync()
        #expect(errno { try file.write([2], at: 1) } == .noSpace)
        #expect(try file.contents() == [1])
        try file.write([3], at: 1)
        #expect(try file.contents() == [1, 3])
        #expect(disk.counters.faults == 1)
    }

    @Test func aFaultForEverEndsWhenItIsTakenBack() throws {
        let file = try disk.open("a", .createNew)
        disk.inject(DiskFault(.error(.inputOutput), times: nil))
        #expect(errno { try file.write([1], at: 0) } == .inputOutput)
        #expect(errno { try file.size() } == .inputOutput)
        #expect(errno { try disk.list("") } == .inputOutput)
        #expect(errno { try disk.open("b", .createNew) } == .inputOutput)
        disk.removeFaults()
        #expect(try disk.list("") == ["a"])
    }

    @Test(arguments: DiskCall.Kind.allCases.filter { $0 != .close })
    func everyKindOfCallCanFail(kind: DiskCall.Kind) throws {
        let file = try disk.open("a", .createNew)
        try disk.createDirectory("empty")
        let calls: [DiskCall.Kind: () throws -> Void] = [
            .open: { _ = try disk.open("a", .read) },
            .createDirectory: { try disk.createDirectory("d") },
            .list: { _ = try disk.list("") },
            .kind: { _ = try disk.kind(of: "a") },
            .rename: { try disk.rename("a", to: "b") },
            .link: { try disk.link("a", to: "b") },
            .unlink: { try disk.unlink("a") },
            .removeDirectory: { try disk.removeDirectory("empty") },
            .syncDirectory: { try disk.syncDirectory("") },
            .status: { _ = try file.size() },
            .read: { _ = try file.read(count: 1, at: 0) },
            .write: { try file.write([1], at: 0) },
            .setSize: { try file.setSize(9) },
            .allocate: { try file.allocate(upTo: 9) },
            .sync: { try file.sync() },
            .barrier: { try file.barrier() },
            .lock: { _ = try file.tryLock(.shared) },
            .unlock: { try file.unlock() },
        ]
        disk.inject(DiskFault(.error(.permissionDenied), on: [kind]))
        let call = try #require(calls[kind])
        #expect(errno(call) == .permissionDenied)
        #expect(disk.paths == ["a"])
        #expect(errno(call) == nil)
    }

    @Test func aFaultCanBeBoundToAPathOrARange() throws {
        try disk.replace("x.segment", with: run(1, 4_096))
        try disk.replace("y.other", with: run(1, 4_096))
        let fault = DiskFault(
            .error(.inputOutput),
            on: [.read],
            pathSuffix: ".segment",
            range: 512..<1_024,
            times: nil
        )
        disk.inject(fault)
        let file = try disk.open("x.segment", .read)
        #expect(try file.read(count: 512, at: 0) == run(1, 512))
        #expect(try file.read(count: 512, at: 1_024) == run(1, 512))
        #expect(errno { try file.read(count: 513, at: 0) } == .inputOutput)
        #expect(errno { try file.read(count: 1, at: 1_023) } == .inputOutput)
        #expect(try disk.open("y.other", .read).read(count: 600, at: 0) == run(1, 600))
    }

    @Test func shortInterruptedAndEmptyWritesAreToldTruly() throws {
        let file = try disk.open("a", .createNew)
        disk.inject(DiskFault(.short(3), on: [.write]))
        #expect(try unsafe file.writeOnce(run(1, 8).span.bytes, at: 0) == 3)
        #expect(try file.contents() == [1, 1, 1])
        disk.inject(DiskFault(.short(0), on: [.write]))
        #expect(try unsafe file.writeOnce(run(2, 8).span.bytes, at: 0) == 0)
        disk.inject(DiskFault(.error(.interrupted), on: [.write]))
        #expect(errno { try unsafe file.writeOnce(run(2, 8).span.bytes, at: 0) } == .interrupted)
        #expect(try file.contents() == [1, 1, 1])
        disk.inject(DiskFault(.short(2), on: [.write, .read], times: nil))
        try file.write([4, 5, 6, 7, 8], at: 1)
        #expect(try file.contents() == [1, 4, 5, 6, 7, 8])
    }

    @Test func faultsDoNotOutliveTheProcess() throws {
        disk.inject(DiskFault(.error(.inputOutput), times: nil))
        #expect(try disk.image().afterKill().list("") == [])
        #expect(try disk.image().afterPowerLoss(seed: 1).list("") == [])
    }
}
