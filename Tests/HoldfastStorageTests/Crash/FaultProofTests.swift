import HoldfastStorage
import HoldfastTesting
import Testing

/// The Nth call fails, for every N.
@Suite struct FaultProofTests {
    /// Commits of every durability, two rotations, marks, a sync by time, and a reopening.
    static let workload: [CrashOperation] = [
        .put(1), .put(2, .buffered), .put(3, length: 400), .wait(.milliseconds(20)),
        .put(4, length: 400, .buffered), .delete(1), .wait(.seconds(1)), .reopen,
        .put(5, .ordered), .delete(2), .put(6, length: 400),
    ]

    private func check(_ faults: (Int) -> [DiskFault]) async {
        var plan = CrashExplorer.Plan()
        plan.draws = 2
        var explorer = CrashExplorer(.journal(), plan)
        var violations: [CrashViolation] = []
        for number in 0... {
            do {
                let wasMet = try await explorer.explore(Self.workload, failing: faults(number))
                if !wasMet { break }
            } catch let violation as CrashViolation {
                violations.append(violation)
            } catch {
                Issue.record(error)
            }
        }
        for violation in violations.prefix(6) { print(violation) }
        #expect(violations.count == 0)
    }

    @Test(arguments: [SystemErrorNumber.inputOutput, .noSpace, .interrupted])
    func anyCallMayFailOnce(errno: SystemErrorNumber) async {
        await check { [DiskFault(.error(errno), after: $0)] }
    }

    @Test(arguments: [SystemErrorNumber.inputOutput, .noSpace])
    func anyCallAndAllAfterItMayFail(errno: SystemErrorNumber) async {
        await check { [DiskFault(.error(errno), after: $0, times: nil)] }
    }

    @Test(arguments: [0, 1, 7])
    func anyWriteMayBeShort(count: Int) async {
        await check { [DiskFault(.short(count), on: [.write], after: $0)] }
    }

    @Test(arguments: FailedSync.allCases)
    func anySyncMayFail(model: FailedSync) async {
        await check { [DiskFault(.failedSync(model), on: [.sync], after: $0)] }
    }

    /// The file is all zero where frames are going to stand: a frame that lacks only its last zeros
    /// is whole.
    @Test func aRefusedCommitNeverComesBackHoweverMuchOfItWasWritten() async throws {
        var plan = CrashExplorer.Plan()
        plan.draws = 1
        var explorer = CrashExplorer(.journal(), plan)
        let workload: [CrashOperation] = [.put(1), .put(2, length: 13), .put(3)]
        for written in 0...80 {
            let wasMet = try await explorer.explore(
                workload,
                failing: [
                    DiskFault(.short(written), on: [.write], after: 1),
                    DiskFault(.error(.noSpace), on: [.write], after: 1),
                ]
            )
            #expect(wasMet)
        }
    }
}
