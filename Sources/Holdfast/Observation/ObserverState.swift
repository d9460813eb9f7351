package import HoldfastStorage

/// Where an observation of a query stands: the pure part.
///
/// Commits come in as changes, from one side; the consumer asks for values, from the other. While the
/// query is evaluated the window is out of here, and every change of the table counts: what was seen
/// before the evaluation began cannot tell what it will find.
package struct ObserverState<Row: Sendable>: Sendable {
    /// What the consumer has to do next.
    package enum Step {
        /// Bring the window up to date with these changes, and hand it back.
        case evaluate(QueryWindow<Row>, ChangedKeys)
        /// Wait for a change.
        case wait
        /// Stop, for this reason.
        case fail(any Error)
    }

    private enum Phase {
        case idle(QueryWindow<Row>)
        case evaluating
        case ended(any Error)
    }

    private let filter: RecordFilter
    private let order: [FieldOrder]
    /// Everything counts as changed until the first evaluation.
    private var changed = ChangedKeys.all
    private var phase: Phase

    /// An observation that has seen nothing yet.
    package init(of evaluation: QueryEvaluation<Row>) {
        filter = evaluation.filter
        order = evaluation.order.steps
        phase = .idle(evaluation.emptyWindow)
    }

    /// Whether the consumer has nothing to do.
    package var isAtRest: Bool {
        if case .idle = phase { changed.isEmpty } else { false }
    }

    /// Takes in what a commit changed in the query's table.
    ///
    /// - Complexity: O(1) a change, and the reading of the fields that the query names.
    package mutating func note(_ changes: [Change]) {
        for change in changes {
            if case .all = changed { return }
            switch phase {
            case .ended: return
            case .evaluating: changed.insert(change.key)
            case .idle(let window):
                if matters(change, to: window) { changed.insert(change.key) }
            }
        }
    }

    /// Takes in that any record may have changed.
    package mutating func noteAll() { changed = .all }

    /// What the consumer does next; after `.evaluate` it calls ``finish(_:)`` or ``end(_:)``.
    package mutating func next() -> Step {
        switch phase {
        case .ended(let error): return .fail(error)
        case .evaluating: preconditionFailure("an iterator of values serves one task at a time")
        case .idle(let window):
            if changed.isEmpty { return .wait }
            defer {
                changed = .none
                phase = .evaluating
            }
            return .evaluate(window, changed)
        }
    }

    /// Takes the window back.
    package mutating func finish(_ window: QueryWindow<Row>) {
        if case .evaluating = phase { phase = .idle(window) }
    }

    /// Ends the observation; the first reason stays.
    package mutating func end(_ error: any Error) {
        if case .ended = phase { return }
        phase = .ended(error)
    }

    private func matters(_ change: Change, to window: QueryWindow<Row>) -> Bool {
        if window.contains(change.key) { return true }
        guard let value = change.value else { return false }
        do {
            return try value.withRawSpan { value throws(DocumentError) in
                guard try filter.matches(value) else { return false }
                let values = try filter.values(of: order, in: value)
                return window.reaches(RecordPosition(values: values, key: change.key))
            }
        } catch {
            // The evaluation meets the damage too, and says where it is.
            return true
        }
    }
}
