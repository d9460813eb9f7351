import Holdfast
import HoldfastSync

extension PushResult.Status {
    /// Whether it stays the same for ever.
    var isFinal: Bool {
        switch self {
        case .applied, .merged, .noop, .conflict, .rejected: true
        case .replayed, .deferred, .expired: false
        }
    }

    /// Whether the record's state contains the mutation.
    var isEffect: Bool {
        switch self {
        case .applied, .merged, .noop: true
        case .replayed, .deferred, .expired, .conflict, .rejected: false
        }
    }
}

extension PushResult {
    static func expired(_ key: MutationKey) -> PushResult { PushResult(key: key, status: .expired) }

    static func rejected(_ key: MutationKey, _ problem: SyncProblem) -> PushResult {
        PushResult(key: key, status: .rejected, problem: problem)
    }

    static func deferred(_ key: MutationKey, _ problem: SyncProblem) -> PushResult {
        PushResult(key: key, status: .deferred, problem: problem)
    }

    /// A conflict with what stands now.
    static func conflict(
        _ key: MutationKey,
        with slot: RecordSlot,
        _ problem: SyncProblem? = nil
    ) -> PushResult {
        PushResult(
            key: key,
            status: .conflict,
            version: slot.metadata?.version,
            record: slot.object,
            isTombstone: slot.isTombstone,
            problem: problem
        )
    }

    /// Makes it the result of a mutation whose group failed.
    ///
    /// A failure of its own of that kind stays, and so does a conflict in a group of which another
    /// was rejected: all conflicts are reported at once.
    mutating func fail(with outcome: Status) {
        if status == outcome || status == .conflict && outcome == .rejected { return }
        self = PushResult(
            key: key,
            status: outcome,
            problem: SyncProblem(
                type: ProblemType.groupFailed,
                detail: "Another change of the same group could not be applied, so none was."
            )
        )
    }
}

extension [PushResult] {
    /// How a group fails that has these results; `nil` where it does not.
    var groupStatus: PushResult.Status? {
        for status in [PushResult.Status.rejected, .conflict, .deferred]
        where contains(where: { $0.status == status }) {
            return status
        }
        return nil
    }
}

extension StoredResult {
    /// The answer to a mutation that comes again.
    func replay(for fingerprint: Fingerprint) -> PushResult {
        guard fingerprint == self.fingerprint else {
            return .rejected(
                result.key,
                SyncProblem(
                    type: ProblemType.keyReused,
                    detail: "The key was used before, for another mutation."
                )
            )
        }
        var replay = result
        replay.original = result.status
        replay.status = .replayed
        return replay
    }
}
