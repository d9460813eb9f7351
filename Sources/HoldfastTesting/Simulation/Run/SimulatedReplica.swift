import Holdfast
import HoldfastStorage
import HoldfastSync
import Synchronization

/// A device in a simulation: its disk, its clock, its network, and the app on it while that runs.
final class SimulatedReplica {
    /// The device's clock and randomness, which the app's threads read.
    final class Surroundings: Sendable {
        private struct State {
            var milliseconds: Int64 = 0
            var offset: Int64 = 0
            var random: SplitMix64
        }

        /// 2026, as good as any other year.
        private static let start: Int64 = 1_767_225_600_000
        private let state: Mutex<State>

        init(seed: UInt64) { state = Mutex(State(random: SplitMix64(seed: seed))) }

        /// Milliseconds since 1970, by the true time.
        var trueMilliseconds: Int64 { state.withLock { Self.start &+ $0.milliseconds } }

        /// Milliseconds since 1970, by the device's clock.
        var milliseconds: Int64 {
            state.withLock { Self.start &+ $0.milliseconds &+ $0.offset }
        }

        func random() -> UInt64 { state.withLock { $0.random.next() } }

        func set(_ time: Duration) {
            let milliseconds =
                time.components.seconds &* 1_000
                &+ time.components.attoseconds / 1_000_000_000_000_000
            state.withLock { $0.milliseconds = milliseconds }
        }

        func shiftClock(by jump: Duration) {
            state.withLock { $0.offset &+= jump.components.seconds &* 1_000 }
        }
    }

    /// A crash that waits for the disk call that it comes at.
    struct Crash {
        let losesPower: Bool
        let pause: Duration
        let seed: UInt64
    }

    /// What the app was like when the device was backed up.
    struct Backup {
        let image: DiskImage
        let path: String
        let sequence: SequenceNumber
        let view: AuthorView
    }

    let number: Int
    let principal: String
    let surroundings: Surroundings
    let ids: RecordIDGenerator
    var disk = SimulatedDisk()
    var path = "store"
    var process: SimulatedProcess?
    /// Counts the processes: what belongs to an earlier one is dropped.
    var life = 0
    var conditions = NetworkConditions.good {
        didSet { goodSince = nil }
    }
    /// Counts what was said about the network, the disk and wake-ups: what is out of date is
    /// dropped.
    var networkSerial = 0
    var wakeSerial = 0
    var diskSerial = 0
    var crash: Crash?
    var backup: Backup?
    /// When the device was last set back to a backup.
    var restoredAt: Duration?
    /// Whether the device was set back to a backup.
    var wasRestored: Bool { restoredAt != nil }
    var isUpgraded = false
    /// The last commit that was taken into the history.
    var sequence = SequenceNumber.zero
    /// The last commit after which everything was looked at.
    var checkedSequence = SequenceNumber.zero
    /// When the last page of changes arrived.
    var lastPage = Duration.zero
    /// When sync was last seen paused: it waits for more than the network.
    var lastPause = Duration.zero
    /// Since when the process runs on a good network.
    var goodSince: Duration?
    /// The last commit that a power loss cannot take.
    var durableSequence = SequenceNumber.zero
    /// When the engine's own background work was last given the chance to run.
    var lastUpkeep = Duration.zero
    var tokenNumber = 0
    var isFetchingCredentials = false
    /// The newest versions of bases that were seen, since they may not go back.
    var bases: [RecordReference: RecordVersion] = [:]
    /// The records that were deleted here, which the server has acknowledged, and the version then.
    var deletions: [RecordReference: RecordVersion] = [:]
    /// How far each scope was read, which may not go back either.
    var cursors = CursorAudit()

    /// The author of what is written here, in the history.
    var author: Int { number + 1 }

    init(number: Int, seed: UInt64) {
        self.number = number
        principal = "person \(number)"
        let surroundings = Surroundings(seed: seed)
        self.surroundings = surroundings
        // The true time: what a wrong clock does to ids is of no consequence, and would hide
        // whether it is of any to the rest.
        ids = RecordIDGenerator(
            clock: { surroundings.trueMilliseconds },
            randomness: { surroundings.random() }
        )
    }

    /// What a request of this replica is made with.
    var credentials: SyncCredentials {
        SyncCredentials(token: "\(principal)/\(tokenNumber)")
    }

    var environment: SyncEnvironment {
        let surroundings = surroundings
        return SyncEnvironment(
            random: { surroundings.random() },
            ids: ids,
            wallClock: { surroundings.milliseconds }
        )
    }

    /// What was seen of the store counts no longer: it goes on from an earlier moment.
    func forgetProgress() {
        bases = [:]
        deletions = [:]
        cursors = CursorAudit()
        checkedSequence = .zero
    }

    /// The process is no more; what was on its way to it is dropped.
    func endProcess() {
        process = nil
        goodSince = nil
        life += 1
        isFetchingCredentials = false
    }

    /// Lets time pass for the clock and the engine's background work.
    func reach(_ time: Duration) async {
        surroundings.set(time)
        guard time > lastUpkeep else { return }
        await process?.scheduler.run(for: time - lastUpkeep)
        lastUpkeep = time
    }
}
