extension SegmentFiles {
    /// The bytes of a group whose values the cache takes: those of an app that edits, not of an
    /// import, which would pay for it and push out what is used.
    private static let keptGroupBytes = 64 << 10

    /// Puts the values of a group that was written into the cache: whoever looks at what changed
    /// needs no read.
    func keep(_ group: JournalGroup) {
        guard let cache, group.bytes.count <= Self.keptGroupBytes else { return }
        let epoch = cache.epoch
        let salt = group.end.header.salt
        group.bytes.withRawSpan { bytes in
            var start = 0
            while let frame = FrameHeader(
                bytes,
                at: start,
                salt: salt,
                offset: group.offset + UInt64(start)
            ) {
                if frame.kind == .transaction {
                    let end = min(
                        start + FrameHeader.byteCount + frame.payloadLength,
                        bytes.byteCount
                    )
                    keep(bytes, from: start + FrameHeader.byteCount, to: end, frame.number, group) {
                        cache.insert($0, at: $1, epoch: epoch)
                    }
                }
                start += frame.frameLength
            }
        }
    }

    private func keep(
        _ bytes: RawSpan,
        from start: Int,
        to end: Int,
        _ number: SequenceNumber,
        _ group: JournalGroup,
        _ insert: (RawSpan, EntryLocation) -> Void
    ) {
        var position = start
        while position < end, let entry = FrameEntry(bytes, at: position) {
            position = entry.bytes.upperBound
            guard let value = entry.value else { continue }
            let location = EntryLocation(
                segment: group.segment,
                offset: UInt32(group.offset) + UInt32(entry.bytes.lowerBound),
                length: UInt32(entry.bytes.count),
                number: number
            )
            insert(bytes.extracting(value), location)
        }
    }
}
