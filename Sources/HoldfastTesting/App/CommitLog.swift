import Holdfast
import HoldfastStorage
import Synchronization

/// What an app's store went through, transaction by transaction, and when.
///
/// Moments are counts of the calls that could change the disk.
final class CommitLog: Sendable {
    private struct Entry {
        var changes: [Change]
        var durability: Durability
        /// When `write` had returned.
        var acknowledged: Int
    }

    private struct Promise {
        var name: String
        var given: Int
        var withdrawn = Int.max
        var check: CrashCheck.Check
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        /// Moments from which on everything acknowledged before them survives a power loss.
        var settled: [Int] = []
        var promises: [Promise] = []
    }

    private let disk: SimulatedDisk
    /// The store before the work.
    private let base: Observation
    private let state = Mutex(State())

    init(_ base: Observation, _ disk: SimulatedDisk) {
        self.base = base
        self.disk = disk
    }

    /// The transactions of the work.
    var count: Int { state.withLock { $0.entries.count } }

    func acknowledge(_ commit: Commit, _ durability: Durability) {
        let moment = disk.counters.mutations
        let entry = Entry(
            changes: commit.changes,
            durability: durability,
            acknowledged: moment
        )
        state.withLock { $0.entries[Int(commit.sequenceNumber.rawValue)] = entry }
    }

    func settle() {
        let moment = disk.counters.mutations
        state.withLock { $0.settled.append(moment) }
    }

    /// Gives a promise, or takes it back.
    func promise(_ name: String, _ check: CrashCheck.Check?) {
        let moment = disk.counters.mutations
        state.withLock { state in
            for index in state.promises.indices where state.promises[index].name == name {
                state.promises[index].withdrawn = min(moment, state.promises[index].withdrawn)
            }
            if let check {
                state.promises.append(Promise(name: name, given: moment, check: check))
            }
        }
    }

    /// The promises that hold at a moment.
    func promises(at moment: Int) -> [(name: String, check: CrashCheck.Check)] {
        state.withLock { state in
            state.promises.filter { $0.given <= moment && moment < $0.withdrawn }
                .map { ($0.name, $0.check) }
        }
    }

    /// The number of the last transaction that has to be there after a crash at a moment.
    ///
    /// A `.synced` one makes every one before it durable.
    func required(at moment: Int, afterPowerLoss: Bool) -> Int {
        state.withLock { state in
            let settled = state.settled.filter { $0 <= moment }.max() ?? -1
            let required = state.entries.filter { _, entry in
                entry.acknowledged <= moment
                    && (!afterPowerLoss || entry.durability == .synced
                        || entry.acknowledged <= settled)
            }
            return required.keys.max() ?? base.last
        }
    }

    /// What the store holds after the transactions up to a number; `nil` where there was none.
    func state(after number: Int) -> CrashHistory.State? {
        guard number >= base.last else { return nil }
        return state.withLock { state in
            var result: CrashHistory.State? = base.state
            for next in base.last + 1..<max(number, base.last) + 1 {
                result = state.entries[next].flatMap { result?.applying($0.changes) }
            }
            return result
        }
    }
}
