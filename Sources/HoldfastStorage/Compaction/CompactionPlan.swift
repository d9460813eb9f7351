/// Which segments are worth compacting: the pure part.
///
/// A journal may take twice what is live, and a constant that follows its size. Compaction begins
/// well before that, so that it is done in time, and takes first what frees most for the least
/// work.
struct CompactionPlan {
    struct Segment: Hashable {
        var number: UInt32
        /// The size of its file.
        var bytes: UInt64
        /// The bytes of entries that would have to be moved.
        var needed: UInt64
    }

    /// How far to go.
    enum Goal: Hashable {
        /// Back within the bounds.
        case bounds
        /// Until hardly anything is dead.
        case complete
    }

    /// The segments that are full, or were left.
    var sealed: [Segment]
    /// The live bytes of the segment that is written.
    var activeNeeded: UInt64
    /// The size of the next segment.
    var segmentBytes: UInt64

    /// What the sealed segments take.
    var total: UInt64 { sealed.reduce(0) { $0 + $1.bytes } }

    /// What the entries that are needed take at least, the segments' headers included.
    private var packedTotal: UInt64 {
        packed(sealed.reduce(activeNeeded) { $0 + $1.needed })
    }

    /// What does not count, so that a small store is left alone.
    private var constant: UInt64 { 4 * segmentBytes }

    /// Whether so much is dead that commits should wait for compaction.
    var isBehind: Bool { total > 2 * packedTotal + constant }

    /// The segments to give up next, the best first.
    func victims(_ goal: Goal) -> [UInt32] {
        let worthwhile = sealed.filter { packed($0.needed) <= $0.bytes / 20 * 17 }
            .sorted { left, right in
                // left.needed / left.bytes < right.needed / right.bytes, without a division.
                let (a, b) = (
                    left.needed.multipliedFullWidth(by: right.bytes),
                    right.needed.multipliedFullWidth(by: left.bytes)
                )
                return (a.high, a.low, left.number) < (b.high, b.low, right.number)
            }
        switch goal {
        case .complete: return worthwhile.map(\.number)
        case .bounds: return victims(of: worthwhile)
        }
    }

    private func victims(of worthwhile: [Segment]) -> [UInt32] {
        let packedTotal = packedTotal
        guard total > packedTotal / 2 * 3 + constant else { return [] }
        let goal = packedTotal / 4 * 5 + constant / 2
        // What is moved stands twice until the old segments are given up.
        let mostMoved = max(constant, packedTotal / 8)
        var (left, moved) = (total, UInt64(0))
        var victims: [UInt32] = []
        for segment in worthwhile where left > goal && moved <= mostMoved {
            victims.append(segment.number)
            left = left - segment.bytes + packed(segment.needed)
            moved += segment.needed
        }
        return victims
    }

    /// Victims in groups of which each is given up at once: what is moved stands twice until then,
    /// and each group may cost a checkpoint.
    func batches(of victims: [UInt32]) -> [[UInt32]] {
        let most = max(constant, packedTotal / 4)
        let needed = Dictionary(uniqueKeysWithValues: sealed.map { ($0.number, $0.needed) })
        var batches: [[UInt32]] = []
        var moved: UInt64 = 0
        for victim in victims {
            if batches.isEmpty || moved > most {
                batches.append([])
                moved = 0
            }
            batches[batches.count - 1].append(victim)
            moved += needed[victim] ?? 0
        }
        return batches
    }

    /// What entries of so many bytes take in segments that are full.
    private func packed(_ bytes: UInt64) -> UInt64 {
        let overhead = SegmentHeader.firstFrame + 2 * UInt64(FrameHeader.byteCount)
        guard bytes > 0, segmentBytes > overhead else { return bytes }
        let (product, overflow) = bytes.multipliedReportingOverflow(by: segmentBytes)
        return overflow ? bytes : product / (segmentBytes - overhead)
    }
}
