extension SegmentScanner.Frame {
    /// Where the first entry of a transaction stands that is not as it was written, from the
    /// frame's start; `nil` where all are intact.
    func damagedEntry(in payload: RawSpan) -> Int? {
        header.entries(in: payload).damaged
    }
}

extension FrameHeader {
    /// The entries of the frame: how many are intact before the first that is not, and where that
    /// one stands, from the frame's start.
    func entries(in payload: RawSpan) -> (intact: Int, damaged: Int?) {
        guard kind == .transaction else { return (0, nil) }
        var (count, position) = (0, 0)
        while position < payload.byteCount {
            guard let entry = FrameEntry(payload, at: position),
                entry.isIntact(in: payload, number: number)
            else { return (count, FrameHeader.byteCount + position) }
            count += 1
            position = entry.bytes.upperBound
        }
        return (count, nil)
    }
}
