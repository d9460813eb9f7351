/// Segments that were retired: what stood in them stands elsewhere, or is not needed any more.
package struct RetiredRange: Hashable, Sendable {
    /// Where a segment ends: what the header of the one behind it says of its predecessor.
    package struct End: Hashable, Sendable {
        package var length: UInt64
        package var chain: UInt64

        package init(length: UInt64, chain: UInt64) {
            self.length = length
            self.chain = chain
        }
    }

    package var segments: ClosedRange<UInt32>
    /// The number of the first transaction in them.
    package var first: SequenceNumber
    /// The number of the first transaction behind them.
    package var next: SequenceNumber
    /// Where the segment before them ends.
    package var before: End
    /// Where the last of them ends.
    package var end: End

    package init(
        segments: ClosedRange<UInt32>,
        first: SequenceNumber,
        next: SequenceNumber,
        before: End,
        end: End
    ) {
        self.segments = segments
        self.first = first
        self.next = next
        self.before = before
        self.end = end
    }
}

extension RetiredRange {
    init(_ range: RetiredSegments.Range) {
        self.init(
            segments: range.segments,
            first: range.start.next,
            next: range.end.next,
            before: End(length: range.start.length, chain: range.start.chain),
            end: End(length: range.end.length, chain: range.end.chain)
        )
    }

    /// The range as the journal's map has it.
    var retired: RetiredSegments.Range {
        RetiredSegments.Range(
            segments: segments,
            start: SegmentBoundary(length: before.length, chain: before.chain, next: first),
            end: SegmentBoundary(length: end.length, chain: end.chain, next: next)
        )
    }

    func append(to buffer: inout ByteBuffer) {
        buffer.append(segments.lowerBound)
        buffer.append(segments.upperBound)
        buffer.append(first.rawValue)
        buffer.append(next.rawValue)
        buffer.append(before.length)
        buffer.append(before.chain)
        buffer.append(end.length)
        buffer.append(end.chain)
    }

    init?(_ reader: inout RecordReader) {
        guard let lowest: UInt32 = reader.next(), let highest: UInt32 = reader.next(),
            lowest > 0, lowest <= highest,
            let first: UInt64 = reader.next(), let next: UInt64 = reader.next(),
            first > 0, first <= next,
            let beforeLength: UInt64 = reader.next(), let beforeChain: UInt64 = reader.next(),
            let endLength: UInt64 = reader.next(), let endChain: UInt64 = reader.next()
        else { return nil }
        self.init(
            segments: lowest...highest,
            first: SequenceNumber(first),
            next: SequenceNumber(next),
            before: End(length: beforeLength, chain: beforeChain),
            end: End(length: endLength, chain: endChain)
        )
    }
}
