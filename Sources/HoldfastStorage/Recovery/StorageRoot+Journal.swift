extension StorageRoot {
    /// Applies a frame that was read back.
    ///
    /// - Throws: ``StorageError`` `.corruption` when its entries make no sense; some of them may
    ///   have been applied.
    mutating func apply(
        _ frame: borrowing SegmentScanner.Frame,
        _ payload: RawSpan,
        segment: UInt32,
        files: SegmentFiles
    ) throws(StorageError) {
        let isMove = frame.header.kind == .moves
        guard isMove || frame.header.kind == .transaction else { return }
        let start = UInt32(frame.offset) + UInt32(FrameHeader.byteCount)
        try FrameEntry.forEach(
            in: payload,
            frame,
            path: files.directory.segmentPath(segment)
        ) {
            entry,
            number throws(StorageError) in
            let key = payload.extracting(entry.key)
            guard let value = entry.value else {
                return try applyDelete(entry, of: key, number, segment, isMove, files)
            }
            let location = EntryLocation(
                segment: segment,
                offset: start + UInt32(entry.bytes.lowerBound),
                length: UInt32(entry.bytes.count),
                number: number
            )
            try location.withBytes { place throws(StorageError) in
                if isMove {
                    try applyMoved(location, place, payload.extracting(value), key, files)
                } else {
                    _ = try put(place, payload.extracting(value), for: key, reading: files)
                }
            }
        }
        if !isMove { sequenceNumber = frame.header.number }
    }

    /// Applies a delete; one that was moved deletes nothing that came after it, be it in the same
    /// transaction: a put of that one is live, or would not have been moved.
    private mutating func applyDelete(
        _ entry: FrameEntry,
        of key: RawSpan,
        _ number: SequenceNumber,
        _ segment: UInt32,
        _ isMove: Bool,
        _ files: SegmentFiles
    ) throws(StorageError) {
        let tombstone = usage == nil ? nil : entry.tombstone(in: segment)
        if isMove, let current = try location(of: key), current.number >= number {
            if let tombstone { usage?.add(tombstone) }
        } else {
            try delete(key, reading: files, leaving: tombstone)
        }
    }

    /// Applies a put that was moved, unless the key was put again before that.
    private mutating func applyMoved(
        _ location: EntryLocation,
        _ place: RawSpan,
        _ value: RawSpan,
        _ key: RawSpan,
        _ files: SegmentFiles
    ) throws(StorageError) {
        guard let current = try self.location(of: key) else {
            try put(place, value, for: key, reading: files)
            return
        }
        if current.number == location.number {
            try relocate(key, to: place)
        } else if current.number < location.number {
            try put(place, value, for: key, reading: files)
        }
    }

    /// Points a key at another place of the same entry, if it points at the old one.
    mutating func move(
        _ key: RawSpan,
        from old: EntryLocation,
        to new: EntryLocation
    ) throws(StorageError) {
        guard let current = try location(of: key), current.isSamePlace(as: old) else { return }
        try new.withBytes { place throws(StorageError) in
            _ = try relocate(key, to: place)
        }
    }

    /// Counts a delete in another segment than before.
    mutating func moveTombstone(_ entry: FrameEntry, from old: UInt32, to new: UInt32) {
        usage?.remove(entry.tombstone(in: old))
        usage?.add(entry.tombstone(in: new))
    }

    /// Forgets the deletes of a frame that another one stands for.
    mutating func forgetTombstones(
        of frame: borrowing SegmentScanner.Frame,
        _ payload: RawSpan,
        segment: UInt32
    ) {
        guard usage != nil else { return }
        var position = 0
        while position < payload.byteCount,
            let (entry, _) = FrameEntry.next(in: payload, at: &position, frame.header)
        {
            if entry.value == nil { usage?.remove(entry.tombstone(in: segment)) }
        }
    }
}

extension FrameEntry {
    /// What a delete leaves in a segment.
    func tombstone(in segment: UInt32) -> Tombstone {
        Tombstone(segment: segment, bytes: bytes.count, hidden: hidden ?? 1...max(1, segment))
    }
}
