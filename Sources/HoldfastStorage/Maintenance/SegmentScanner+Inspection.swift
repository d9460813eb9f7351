extension SegmentScanner {
    /// Visits frames up to the end, the next damage, or the first transaction behind `last`.
    mutating func inspect(
        _ segment: UInt32,
        through last: SequenceNumber?,
        _ visit: JournalInspector.Visitor
    ) throws -> End? {
        var problem: (any Error)?
        let end = try scan { frame, payload throws(StorageError) in
            if let last, frame.header.number > last { return false }
            do {
                let event = JournalInspector.Event.frame(
                    segment: segment,
                    offset: frame.offset,
                    frame.header
                )
                try visit(event, payload)
                return true
            } catch {
                problem = error
                return false
            }
        }
        if let problem { throw problem }
        return end
    }

    /// Visits bytes that are not frames.
    func visit(
        _ gap: Range<UInt64>,
        _ segment: UInt32,
        _ numbers: ClosedRange<SequenceNumber>?,
        _ visit: JournalInspector.Visitor
    ) throws {
        try visitStretches(of: file, gap) { bytes in
            try visit(.gap(segment: segment, numbers), bytes)
        }
    }
}

/// Visits a file's bytes in stretches that can each hold a whole transaction.
func visitStretches(
    of file: any File,
    _ range: Range<UInt64>,
    _ visit: (RawSpan) throws -> Void
) throws {
    // No frame was ever written beyond 4 GiB, however long the file is.
    let end = max(range.lowerBound, min(range.upperBound, UInt64(UInt32.max)))
    var offset = range.lowerBound
    repeat {
        let count = Int(min(end - offset, UInt64(StorageLimits.transactionBytes)))
        let bytes = try describing("Reading the journal") { () throws(SystemCallError) in
            try file.read(count: count, at: offset)
        }
        try unsafe visit(bytes.span.bytes)
        offset += UInt64(count)
    } while offset < end
}
