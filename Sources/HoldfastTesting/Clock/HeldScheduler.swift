public import HoldfastStorage
import Synchronization

/// A scheduler that holds all work until a test lets it run: time as a parameter.
///
/// ```swift
/// let scheduler = HeldScheduler()
/// var configuration = JournalConfiguration()
/// configuration.scheduler = scheduler
/// // …commits…
/// await scheduler.run(for: .milliseconds(20))   // the mark is written now
/// ```
public final class HeldScheduler: Scheduler {
    fileprivate struct Item: Sendable {
        let due: Duration
        let order: Int
        let work: @Sendable () async -> Void
    }

    fileprivate struct State: Sendable {
        var now = Duration.zero
        var count = 0
        var items: [Item] = []
    }

    private let state = Mutex(State())

    /// A scheduler at time zero, with nothing to do.
    public init() {}

    /// The pieces of work that wait.
    public var waitingCount: Int { state.withLock { $0.items.count } }

    /// Holds `work` until the time that it is due at.
    public func schedule(
        after delay: Duration,
        _ work: @escaping @Sendable () async -> Void
    ) {
        state.withLock { state in
            state.count += 1
            state.items.append(Item(due: state.now + delay, order: state.count, work: work))
        }
    }

    /// Lets `time` pass: runs what falls due, one after the other, in order of time, and what that
    /// schedules within the same span.
    public func run(for time: Duration = .zero) async {
        let end = state.withLock { $0.now + time }
        while let item = state.withLock({ $0.next(until: end) }) { await item.work() }
        state.withLock { $0.now = max($0.now, end) }
    }
}

extension HeldScheduler.State {
    fileprivate mutating func next(until end: Duration) -> HeldScheduler.Item? {
        let first = items.indices.min { left, right in
            (items[left].due, items[left].order) < (items[right].due, items[right].order)
        }
        guard let first, items[first].due <= end else { return nil }
        now = max(now, items[first].due)
        return items.remove(at: first)
    }
}
