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
            form: slot.form,
            record: slot.object,
            isTombstone: slot.isTombstone,
            scope: slot.metadata?.scope,
            problem: problem
        )
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
