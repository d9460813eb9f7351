extension Checkpoint {
    /// Finds out whether the journal that is there is the one that the checkpoint was made of.
    ///
    /// One chain value vouches for all that came before it. Segments that were retired since are not
    /// needed, but for those behind the position: a removal in them may be one that the checkpoint
    /// does not know of.
    ///
    /// - Throws: ``StorageError`` `.corruption` when it is not.
    func requireFit(_ layout: SegmentLayout, _ files: SegmentFiles) throws(StorageError) {
        let numbers = Set(layout.headers.map(\.number))
        let retired = layout.map.retired
        guard retired.ranges.allSatisfy({ $0.segments.upperBound < position.segment }),
            segments.allSatisfy({
                numbers.contains($0.number) || retired.range(holding: $0.number) != nil
            }),
            let index = layout.headers.firstIndex(where: { $0.number == position.segment }),
            try isFrameThere(layout.headers[index], files)
        else { throw misfit(files) }
        guard index + 1 < layout.headers.count else { return }
        let next = layout.headers[index + 1]
        if next.number == position.segment &+ 1 {
            guard next.predecessorLength >= position.offset, next.first > position.number else {
                throw misfit(files)
            }
        }
    }

    /// Whether the position's chain value is that of the frame before it.
    private func isFrameThere(
        _ header: SegmentHeader,
        _ files: SegmentFiles
    ) throws(StorageError) -> Bool {
        if frame == 0 {
            return position.chain == header.chain() && position.number == header.before
        }
        let file = try files.file(header.number)
        let (bytes, size) = try describing("Opening the store") { () throws(SystemCallError) in
            (try file.read(count: FrameHeader.byteCount, at: frame), try file.size())
        }
        guard size >= position.offset else { return false }
        return bytes.withRawSpan { bytes in
            let found = FrameHeader(bytes, at: 0, salt: header.salt, offset: frame)
            return found?.number == position.number
                && frame + UInt64(found?.frameLength ?? 0) == position.offset
                && FrameHeader.chain(after: bytes, salt: header.salt) == position.chain
        }
    }

    private func misfit(_ files: SegmentFiles) -> StorageError {
        .corruption(
            "The checkpoint is not one of this journal.",
            path: files.directory.path(StoreDirectory.checkpointName)
        )
    }
}
