/// The segments that compaction has given up, and what joins those before them to those behind.
///
/// They count for nothing, whether their files are still there or not. What was live in them stands
/// in moves before ``proven``.
struct RetiredSegments: Hashable {
    /// Segments without a gap between them.
    struct Range: Hashable {
        var segments: ClosedRange<UInt32>
        /// Where the segment before the first of them ends.
        var start: SegmentBoundary
        /// Where the last of them ends.
        var end: SegmentBoundary
    }

    /// A place in the journal that is known to be durable.
    struct Place: Hashable {
        var segment: UInt32
        var epoch: UInt32
        var offset: UInt64
        var chain: UInt64
    }

    /// Ascending, and none next to another.
    private(set) var ranges: [Range] = []
    /// The journal is durable up to here: all moves stand before it.
    var proven: Place?

    init() {}

    /// - Returns: `nil` unless the ranges ascend, with a gap between any two.
    init?(_ ranges: [Range], proven: Place) {
        var last: UInt32 = 0
        for (index, range) in ranges.enumerated() {
            guard range.segments.lowerBound > (index == 0 ? 0 : last &+ 1), last < .max,
                range.start.next <= range.end.next, range.start.next > .zero
            else { return nil }
            last = range.segments.upperBound
        }
        self.ranges = ranges
        self.proven = proven
    }

    /// The numbers alone.
    var numbers: RetiredNumbers { RetiredNumbers(ranges.map(\.segments)) }

    /// The range that a segment is in.
    func range(holding segment: UInt32) -> Range? {
        ranges.first { $0.segments.contains(segment) }
    }

    /// The first segment behind another that counts; 0 stands before the first.
    func next(after segment: UInt32) -> UInt32 {
        let next = segment &+ 1
        return range(holding: next).map { $0.segments.upperBound &+ 1 } ?? next
    }

    /// The greatest number of a transaction that stood in one of them: the change feed goes on
    /// behind it.
    var floor: SequenceNumber {
        ranges.filter { $0.start.next < $0.end.next }.last
            .map { SequenceNumber($0.end.next.rawValue - 1) } ?? .zero
    }

    /// Takes in a segment.
    mutating func insert(_ header: SegmentHeader, end: SegmentBoundary) {
        var range = Range(segments: header.number...header.number, start: header.start, end: end)
        let place = ranges.firstIndex { $0.segments.lowerBound > header.number } ?? ranges.count
        ranges.insert(range, at: place)
        if place + 1 < ranges.count,
            ranges[place + 1].segments.lowerBound == header.number &+ 1
        {
            let behind = ranges.remove(at: place + 1)
            range.segments = header.number...behind.segments.upperBound
            range.end = behind.end
            ranges[place] = range
        }
        if place > 0, ranges[place - 1].segments.upperBound &+ 1 == header.number {
            let before = ranges[place - 1]
            range.segments = before.segments.lowerBound...range.segments.upperBound
            range.start = before.start
            ranges[place - 1] = range
            ranges.remove(at: place)
        }
    }
}
