/// What has to be done before the next append, decided from what was read.
enum RecoveryPlan: Hashable {
    /// Append behind the end: all that stands there is known to be durable.
    case continueInPlace
    /// Make durable, byte for byte as it stands, what says nothing of its own: the marks behind the
    /// last proven transaction, or the header of a segment without one. Then append behind it.
    case confirmEnd
    /// Start the next segment behind the proven transactions, and write those that are not proven
    /// into it again. The old segment is not touched, so that a crash in recovery changes nothing.
    case startSegment(rewriting: Int)

    /// Decides.
    ///
    /// After a sync that failed the cache may show what the disk does not hold, as clean. So
    /// nothing that is not proven may be built on, be it only a mark or a header: it could be gone
    /// after a power loss, and what was acknowledged behind it would be damaged.
    init(_ replay: JournalReplay) {
        let isProven = replay.proven == replay.end.number
        if !replay.isSealed, replay.wasClosed {
            self = .continueInPlace
        } else if !replay.isSealed, isProven, replay.tailIsZero, !replay.hasUnprovenMoves {
            self = replay.endsWithTransaction ? .continueInPlace : .confirmEnd
        } else {
            self = .startSegment(
                rewriting: Int(
                    replay.end.number.rawValue - min(replay.proven, replay.end.number).rawValue
                )
            )
        }
    }
}
