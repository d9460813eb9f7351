package import HoldfastStorage

/// Where an observation of a query stands: the pure part.
///
/// Commits come in as changes, from one side; the consumer asks for values, from the other. While the
/// query is evaluated the window is out of here, and every change of the table counts: what was seen
/// before the evaluation began cannot tell what it will find.
package struct ObserverState<Row: Sendable>: ~Copyable, Sendable {
    /// What the consumer has to do next.
    package enum Step: ~Copyable, Sendable {
        /// Bring the window up to date with these changes, and hand it back.
        case evaluate(QueryWindow<Row>, ChangedKeys)
        /// Wait for a change.
        case wait
        /// Stop, for this reason.
        case fail(any Error)
    }

    private let filter: RecordFilter
    private let order: [FieldOrder]
    /// Everything counts as changed until the first evaluation.
    private var changed = ChangedKeys.all
    /// `nil` while the query is evaluated.
    private var window: QueryWindow<Row>?
    private var failure: (any Error)?

    /// An observation that has seen nothing yet.
    package init(of evaluation: QueryEvaluation<Row>) {
        filter = evaluation.filter
        order = evaluation.order.steps
        window = evaluation.makeWindow()
    }

    /// Whether the consumer has nothing to do.
    package var isAtRest: Bool {
        switch window {
        case nil: false
        case .some: failure == nil && changed.isEmpty
        }
    }

    /// Takes in what a commit changed in the query's table.
    ///
    /// - Complexity: O(1) a change, and the reading of the fields that the query names.
    package mutating func note(_ changes: [Change]) {
        for change in changes {
            if case .all = changed { return }
            if matters(change) { changed.insert(change.key) }
        }
    }

    /// Takes in that any record may have changed.
    package mutating func noteAll() { changed = .all }

    /// What the consumer does next; after `.evaluate` it calls ``finish(_:)`` or ``end(_:)``.
    package mutating func next() -> Step {
        if let failure { return .fail(failure) }
        guard let taken = window.take() else {
            preconditionFailure("an iterator of values serves one task at a time")
        }
        if changed.isEmpty {
            window = .some(taken)
            return .wait
        }
        defer { changed = .none }
        return .evaluate(taken, changed)
    }

    /// Takes the window back.
    package mutating func finish(_ window: consuming QueryWindow<Row>) {
        self.window = .some(window)
    }

    /// Ends the observation; the first reason stays.
    package mutating func end(_ error: any Error) { failure = failure ?? error }

    private func matters(_ change: Change) -> Bool {
        guard failure == nil else { return false }
        switch window {
        case nil: return true
        case .some(let window):
            if window.contains(change.key) { return true }
            guard let value = change.value else { return false }
            do {
                let position = try position(of: change.key, value)
                return position.map { window.reaches($0) } ?? false
            } catch {
                // The evaluation meets the damage too, and says where it is.
                return true
            }
        }
    }

    /// Where a record stands in the query's order; `nil` for one that is none of the query's.
    private func position(
        of key: [UInt8],
        _ value: [UInt8]
    ) throws(DocumentError) -> RecordPosition? {
        try value.withRawSpan { value throws(DocumentError) in
            guard try filter.matches(value) else { return nil }
            return RecordPosition(values: try filter.values(of: order, in: value), key: key)
        }
    }
}
