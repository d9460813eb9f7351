/// What has to be done before the next append, decided from what was read.
enum RecoveryPlan: Hashable {
    /// Append behind the end: all is proven and nothing stands behind it.
    case continueInPlace
    /// Start the next segment behind the proven frames, and write those that are not proven into it
    /// again: the cache may show what the disk does not hold, after a sync that failed. The old
    /// segment is not touched, so that a crash in recovery changes nothing.
    case startSegment(rewriting: Int)

    init(_ replay: JournalReplay) {
        let isProven = replay.proven == replay.end.number
        if !replay.isSealed, replay.wasClosed || isProven && replay.tailIsZero {
            self = .continueInPlace
        } else {
            self = .startSegment(
                rewriting: Int(
                    replay.end.number.rawValue - min(replay.proven, replay.end.number).rawValue
                )
            )
        }
    }
}
