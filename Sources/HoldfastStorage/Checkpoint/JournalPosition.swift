/// A place in the journal behind a frame: where a checkpoint ends, and reading the journal begins.
package struct JournalPosition: Hashable, Sendable {
    package var segment: UInt32
    package var offset: UInt64
    /// The chain value there.
    package var chain: UInt64
    /// The last transaction before it.
    package var number: SequenceNumber
    package var epoch: UInt32
    /// Whether the frame before it is a seal.
    package var isSealed = false

    package init(
        segment: UInt32,
        offset: UInt64,
        chain: UInt64,
        number: SequenceNumber,
        epoch: UInt32,
        isSealed: Bool = false
    ) {
        self.segment = segment
        self.offset = offset
        self.chain = chain
        self.number = number
        self.epoch = epoch
        self.isSealed = isSealed
    }
}

extension JournalPosition {
    init(_ tail: JournalTail) {
        self.init(
            segment: tail.header.number,
            offset: tail.offset,
            chain: tail.chain,
            number: tail.number,
            epoch: tail.epoch,
            isSealed: tail.isSealed
        )
    }

    /// Whether all that stands before `other` stands before this too.
    func isAtOrBehind(_ other: JournalPosition) -> Bool {
        (segment, offset) >= (other.segment, other.offset)
    }

    /// Where a scan of the segment goes on.
    var scanPosition: SegmentScanner.Position {
        SegmentScanner.Position(offset: offset, number: number, chain: chain, epoch: epoch)
    }
}
