import Synchronization

/// Which segments' files snapshots still need.
///
/// A snapshot holds the pin of the time when it was taken, so that taking one costs no more than a
/// count. Segments that were retired before that time, or begun after it, are none of its business.
final class SegmentPins: Sendable {
    fileprivate struct Interval {
        let active: UInt32
        let retirement: UInt64
    }

    private struct State {
        var lastID: UInt64 = 0
        var live: [UInt64: Interval] = [:]
        var whenFreed: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// A pin for the time from a retirement on, while `active` is the newest segment.
    func pin(active: UInt32, retirement: UInt64) -> SegmentPin {
        let interval = Interval(active: active, retirement: retirement)
        let id = state.withLock { state in
            state.lastID += 1
            state.live[state.lastID] = interval
            return state.lastID
        }
        return SegmentPin(id, interval, self)
    }

    /// Whether a snapshot may read a segment that was given up in a retirement.
    func holds(_ segment: UInt32, retiredIn retirement: UInt64) -> Bool {
        state.withLock { state in
            state.live.values.contains { $0.retirement < retirement && $0.active >= segment }
        }
    }

    /// Sets what is done when a pin has gone.
    func whenFreed(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenFreed = action }
    }

    fileprivate func end(_ id: UInt64) {
        let action = state.withLock { state in
            state.live[id] = nil
            return state.whenFreed
        }
        action?()
    }
}

/// Keeps the segments of one time for as long as it lives.
final class SegmentPin: Sendable {
    private let id: UInt64
    private let interval: SegmentPins.Interval
    private let pins: SegmentPins

    fileprivate init(_ id: UInt64, _ interval: SegmentPins.Interval, _ pins: SegmentPins) {
        self.id = id
        self.interval = interval
        self.pins = pins
    }

    deinit { pins.end(id) }

    /// The number of the last retirement before it.
    var retirement: UInt64 { interval.retirement }

    /// The pin of the time in which `active` is the newest segment.
    func following(_ active: UInt32) -> SegmentPin {
        if active == interval.active { return self }
        return pins.pin(active: active, retirement: interval.retirement)
    }

    /// The pin of the time behind one more retirement, with another newest segment if one is given.
    func behindRetirement(active: UInt32? = nil) -> SegmentPin {
        pins.pin(active: active ?? interval.active, retirement: interval.retirement + 1)
    }
}
