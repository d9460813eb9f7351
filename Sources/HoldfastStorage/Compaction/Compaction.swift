import Synchronization

/// What compaction keeps in mind between its runs.
final class Compaction: Sendable {
    /// A retired segment whose file is still there.
    struct Leftover: Hashable {
        let segment: UInt32
        /// The retirement that it was given up in; 0 for one of an earlier session.
        let retirement: UInt64
        /// Whether no checkpoint needs it any more.
        var isCovered = false
    }

    /// How far the way through a segment has come: what is needed before that place was moved.
    struct Progress {
        let position: SegmentScanner.Position
        /// The segments that were to go with it: what only hides something there was left.
        let leaving: Set<UInt32>
    }

    struct State {
        /// Whether a run is scheduled: at once, and after a while.
        var isDue = false
        var isDueLater = false
        /// Set when the store is closed.
        var isStopped = false
        /// Set when it is unknown which segments the disk says are retired.
        var failure: StorageError?
        /// Segments with damage: what is live in them cannot all be moved.
        var damaged: Set<UInt32> = []
        var leftovers: [Leftover]
        var progress: [UInt32: Progress] = [:]
        /// The sizes of sealed segments' files, which never change.
        var fileBytes: [UInt32: UInt64] = [:]
    }

    let state: Mutex<State>
    /// One run at a time; who closes the store waits for it.
    let gate = WriterGate()
    /// Whether so much is dead that commits have to wait for a run that is under way.
    let isBehind = Atomic<Bool>(false)

    init(leftovers: [UInt32]) {
        state = Mutex(
            State(leftovers: leftovers.map { Leftover(segment: $0, retirement: 0) })
        )
    }

    /// Makes the run that is under way end after its current step, and every later one at once.
    func stop() { state.withLock { $0.isStopped = true } }

    /// Begins again after ``stop()``, on files that another process may have changed.
    ///
    /// - Parameters:
    ///   - leftovers: The retired segments whose files are still there.
    ///   - retirement: The last retirement: snapshots of before may still read them.
    func start(leftovers: [UInt32], retirement: UInt64) {
        state.withLock { state in
            let (isDue, isDueLater) = (state.isDue, state.isDueLater)
            state = State(
                leftovers: leftovers.map { Leftover(segment: $0, retirement: retirement) }
            )
            (state.isDue, state.isDueLater) = (isDue, isDueLater)
        }
    }

    /// Goes on after ``stop()``, on files that are as they were.
    func goOn() { state.withLock { $0.isStopped = false } }

    /// Throws once nothing may be compacted any more.
    func requireRunning() throws(StorageError) {
        let (isStopped, failure) = state.withLock { ($0.isStopped, $0.failure) }
        if isStopped { throw .closed }
        if let failure { throw failure }
    }

    /// Takes note of a run that has to be scheduled.
    ///
    /// - Returns: Whether it is not yet.
    func note(isDueLater: Bool) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            if isDueLater {
                defer { state.isDueLater = true }
                return !state.isDueLater
            }
            defer { state.isDue = true }
            return !state.isDue
        }
    }

    /// Where the way through a segment goes on, which an earlier run could not end.
    func progress(
        in segment: UInt32,
        leaving: Set<UInt32>,
        _ retired: RetiredNumbers
    ) -> SegmentScanner.Position? {
        guard let progress = state.withLock({ $0.progress[segment] }),
            progress.leaving.allSatisfy({ leaving.contains($0) || retired.contains($0) })
        else { return nil }
        return progress.position
    }

    /// Takes note that what is needed before a place was moved, durably.
    func passed(_ position: SegmentScanner.Position, in segment: UInt32, leaving: Set<UInt32>) {
        state.withLock {
            $0.progress[segment] = Progress(position: position, leaving: leaving)
        }
    }

    func began(isDueLater: Bool) {
        state.withLock { state in
            if isDueLater { state.isDueLater = false } else { state.isDue = false }
        }
    }
}
