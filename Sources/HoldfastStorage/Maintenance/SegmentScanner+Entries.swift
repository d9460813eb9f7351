extension SegmentScanner.Frame {
    /// Where the first entry stands that is not as it was written, from the
    /// frame's start; `nil` where all are intact.
    func damagedEntry(in payload: RawSpan) -> Int? {
        header.entries(in: payload).damaged
    }
}

extension FrameHeader {
    /// The entries of the frame: how many are intact before the first that is not, and where that
    /// one stands, from the frame's start.
    func entries(in payload: RawSpan) -> (intact: Int, damaged: Int?) {
        var (count, position) = (0, 0)
        while position < payload.byteCount {
            let start = position
            guard let (entry, number) = FrameEntry.next(in: payload, at: &position, self),
                entry.isIntact(in: payload, number: number)
            else { return (count, FrameHeader.byteCount + start) }
            count += 1
        }
        return (count, nil)
    }
}
