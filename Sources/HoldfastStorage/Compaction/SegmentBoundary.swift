/// Where one segment ends and the next begins.
struct SegmentBoundary: Hashable {
    /// Where the last live frame of the segment before ends; 0 before segment 1.
    var length: UInt64
    /// The chain value there; 0 before segment 1.
    var chain: UInt64
    /// The number of the first transaction behind.
    var next: SequenceNumber

    /// Before segment 1.
    static let start = SegmentBoundary(length: 0, chain: 0, next: SequenceNumber(1))
}

extension SegmentHeader {
    /// What it says of the end of the segment before it.
    var start: SegmentBoundary {
        SegmentBoundary(length: predecessorLength, chain: predecessorChain, next: first)
    }
}
