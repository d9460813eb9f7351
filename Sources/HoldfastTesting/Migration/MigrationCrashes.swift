import Holdfast
import HoldfastStorage

/// Crashes of the direct migration of a fixture, and what opening finds after each.
struct MigrationCrashes {
    private enum Outcome: Int, CaseIterable {
        case killed
        case nothingKept
        case drawn
    }

    private let trial: MigrationTrial
    private let before: MigrationState
    private let result: MigrationState

    init(
        _ trial: MigrationTrial,
        from before: MigrationState,
        to result: MigrationState
    ) {
        self.trial = trial
        self.before = before
        self.result = result
    }

    /// - Returns: How many crashes were tried.
    /// - Throws: ``MigrationViolation``.
    func run() async throws -> Int {
        if trial.check.crashLimit < 1 { return 0 }
        let (images, boundaries) = try await record()
        let all = images.count * Outcome.allCases.count
        let stride = max(1, (all + trial.check.crashLimit - 1) / trial.check.crashLimit)
        var visited: Set<UInt64> = []
        for number in Swift.stride(from: 0, to: all, by: stride) {
            let image = images[number / Outcome.allCases.count]
            let outcome = Outcome.allCases[number % Outcome.allCases.count]
            let disk = crash(image, outcome, seed: UInt64(number))
            guard visited.insert(disk.image().fingerprint).inserted else { continue }
            do {
                try await verify(disk, boundaries)
            } catch {
                throw violation(error, after: image, outcome)
            }
        }
        return visited.count
    }

    /// Migrates once, and takes an image before each call that changes the disk.
    ///
    /// - Returns: The images, and the states at the ends of the commits by their numbers.
    private func record() async throws -> ([DiskImage], [SequenceNumber: MigrationState]) {
        let disk = trial.image.afterKill()
        let start = try await MigrationStore.with(disk, nil, .read) { try $0.sequenceNumber }
        disk.startRecording(images: true)
        let commits = try await MigrationStore.with(disk, trial.newest) { store in
            try store.commits(after: start, limit: .max)
        }
        var state = before
        var boundaries = [start: before]
        for commit in commits {
            state = state.applying(commit)
            boundaries[commit.sequenceNumber] = state
        }
        return (disk.recording.images + [disk.image()], boundaries)
    }

    private func crash(_ image: DiskImage, _ outcome: Outcome, seed: UInt64) -> SimulatedDisk {
        switch outcome {
        case .killed: return image.afterKill()
        case .nothingKept:
            var chooser = ExtremeChooser(keepsAll: false)
            return image.afterPowerLoss(using: &chooser)
        case .drawn: return image.afterPowerLoss(seed: seed)
        }
    }

    /// Opens a crashed store as it is, and then with the newest schema.
    private func verify(
        _ disk: SimulatedDisk,
        _ boundaries: [SequenceNumber: MigrationState]
    ) async throws {
        let (found, number) = try await MigrationStore.with(disk, nil, .read) { store in
            (try MigrationState(of: store), try store.sequenceNumber)
        }
        guard let boundary = boundaries[number] else {
            throw MigrationViolation("Commit \(number) is the last, which is no step's end.")
        }
        let what = "The store is at no boundary of a step"
        if let violation = boundary.recordDifference(to: found, what) { throw violation }
        let finished = try await MigrationStore.with(disk, trial.newest) { store in
            try MigrationState(of: store)
        }
        let other = "The migration goes on to another result"
        if let violation = result.difference(to: finished, other) { throw violation }
    }

    private func violation(
        _ error: any Error,
        after image: DiskImage,
        _ outcome: Outcome
    ) -> MigrationViolation {
        var violation =
            error as? MigrationViolation
            ?? MigrationViolation("The store does not open after a crash: \(error)")
        let crash = outcome == .killed ? "a killed process" : "a loss of power"
        let call = image.nextCall.map { "before \($0)" } ?? "at the end"
        violation.crash = "\(crash) \(call) (call \(image.mutations))"
        violation.path = trial.path([])
        return violation
    }
}
