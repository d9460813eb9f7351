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
        guard frame.header.kind == .transaction else { return }
        let number = frame.header.number
        let start = UInt32(frame.offset) + UInt32(FrameHeader.byteCount)
        let path = files.directory.segmentPath(segment)
        try FrameEntry.forEach(in: payload, frame, path: path) { entry throws(StorageError) in
            let key = payload.extracting(entry.key)
            guard let value = entry.value else {
                try delete(key, reading: files)
                return
            }
            let location = EntryLocation(
                segment: segment,
                offset: start + UInt32(entry.bytes.lowerBound),
                length: UInt32(entry.bytes.count),
                number: number
            )
            try location.withBytes { place throws(StorageError) in
                _ = try put(place, payload.extracting(value), for: key, reading: files)
            }
        }
        sequenceNumber = number
    }

    /// Points a key at another place of the same entry, if it points at the old one.
    mutating func move(
        _ key: RawSpan,
        from old: EntryLocation,
        to new: EntryLocation
    ) throws(StorageError) {
        let current = try records.withPayload(for: key) { EntryLocation($0) }
        guard current == old else { return }
        try new.withBytes { place throws(StorageError) in
            try relocate(key, to: place)
        }
    }
}
