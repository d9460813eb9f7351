package import HoldfastStorage

/// Where an observation of a query stands: the pure part.
///
/// Commits come in as changes, from one side; the consumer asks for values, from the other. While
/// the query is evaluated the window is out of here, and every change of the table counts: what was
/// seen before the evaluation began cannot tell what it will find.
package struct ObserverState<Row: Sendable>: ~Copyable, Sendable {
    /// What the consumer has to do next.
    package enum Step: ~Copyable, Sendable {
        /// Bring the window to this snapshot, in which these records have changed, and hand it
        /// back.
        case evaluate(QueryWindow<Row>, ChangedKeys, any StorageSnapshot)
        /// Wait for a change.
        case wait
        /// Stop, for this reason.
        case fail(any Error)
    }

    private let evaluation: QueryEvaluation<Row>
    /// Everything counts as changed until the first evaluation.
    private var changed = ChangedKeys.all
    /// The snapshot up to which commits were told, while there is something to look at in it.
    private var snapshot: (any StorageSnapshot)?
    /// The last commit that was told, or was there at the beginning.
    private var told = SequenceNumber.zero
    /// `nil` while the query is evaluated.
    private var window: QueryWindow<Row>?
    private var failure: (any Error)?

    /// An observation that has seen nothing yet.
    package init(of evaluation: QueryEvaluation<Row>) {
        self.evaluation = evaluation
        window = evaluation.makeWindow()
    }

    /// Begins at a snapshot.
    package mutating func begin(at snapshot: any StorageSnapshot) {
        self.snapshot = snapshot
        told = snapshot.sequenceNumber
    }

    /// Whether the consumer has nothing to do.
    package var isAtRest: Bool {
        switch window {
        case nil: false
        case .some: failure == nil && changed.isEmpty
        }
    }

    /// Takes in what commits changed in the query's table, up to those of a snapshot.
    ///
    /// Commits that were there at the beginning change nothing.
    ///
    /// - Complexity: O(1) a change, and the reading of the fields that the query names.
    package mutating func note(_ changes: [Change], upTo snapshot: any StorageSnapshot) {
        guard advance(to: snapshot) else { return }
        for change in changes {
            if case .all = changed { break }
            if matters(change) { changed.insert(change.key) }
        }
        hold(snapshot)
    }

    /// Takes in that any record may have changed, up to a snapshot.
    package mutating func noteAll(upTo snapshot: any StorageSnapshot) {
        guard advance(to: snapshot) else { return }
        changed = .all
        hold(snapshot)
    }

    private mutating func advance(to snapshot: any StorageSnapshot) -> Bool {
        guard failure == nil, snapshot.sequenceNumber > told else { return false }
        told = snapshot.sequenceNumber
        return true
    }

    /// Keeps the newest snapshot for as long as there is something to look at in it, and no other.
    private mutating func hold(_ snapshot: any StorageSnapshot) {
        self.snapshot = changed.isEmpty ? nil : snapshot
    }

    /// What the consumer does next; after `.evaluate` it calls ``finish(_:)`` or ``end(_:)``.
    package mutating func next() -> Step {
        if let failure { return .fail(failure) }
        guard let taken = window.take() else {
            preconditionFailure("an iterator of values serves one task at a time")
        }
        guard !changed.isEmpty, let snapshot else {
            window = .some(taken)
            return .wait
        }
        defer {
            changed = .none
            self.snapshot = nil
        }
        return .evaluate(taken, changed, snapshot)
    }

    /// Takes the window back.
    package mutating func finish(_ window: consuming QueryWindow<Row>) {
        self.window = .some(window)
    }

    /// Ends the observation; the first reason stays.
    package mutating func end(_ error: any Error) {
        failure = failure ?? error
        snapshot = nil
    }

    private func matters(_ change: Change) -> Bool {
        switch window {
        case nil: return true
        case .some(let window):
            if window.contains(change.key) { return true }
            guard let value = change.value else { return false }
            do {
                let position = try evaluation.position(of: change.key, value)
                return position.map { window.reaches($0) } ?? false
            } catch {
                // The evaluation meets the damage too, and says where it is.
                return true
            }
        }
    }
}
