/// Starts the next segment after an unclean end, with the frames that were not proven in it.
struct TailRewrite {
    let directory: StoreDirectory
    let configuration: JournalConfiguration
    let files: SegmentFiles
    let replay: JournalReplay

    /// Writes the new segment and gives the journal's end in it.
    ///
    /// - Throws: ``StorageError``; the store is as it was.
    func run() throws(StorageError) -> JournalTail {
        guard let last = replay.segments.last else {
            throw .corruption("The store has no segment left.", path: directory.path)
        }
        let end = ProvenEnd(directory: directory, files: files, replay: replay)
        let from = try end.position(in: last.header)
        if from.offset == SegmentHeader.firstFrame { try end.confirmHeader(last.header) }
        let header = SegmentHeader(
            store: last.header.store,
            number: last.header.number + 1,
            salt: configuration.random(),
            first: from.number.next,
            predecessorLength: from.offset,
            predecessorChain: from.chain ?? last.header.chain()
        )
        var tail = JournalTail(
            header: header,
            offset: SegmentHeader.firstFrame,
            chain: header.chain(),
            number: from.number,
            epoch: replay.end.epoch &+ 1,
            capacity: 0
        )
        let doing = "Recovering the last commits"
        try directory.place(StoreDirectory.segmentName(header.number), doing: doing) {
            file throws(StorageError) in
            try copy(from, of: last.header, to: file, at: &tail)
            // Small, however large the store: a crash must not cost the time to fill a large file.
            tail.capacity = tail.offset + configuration.segmentBytes(live: 0)
            try describing(doing) { () throws(SystemCallError) in
                try unsafe file.write(header.bytes().span.bytes, at: 0)
                try file.fillWithZeros(from: tail.offset, upTo: tail.capacity)
            }
        }
        files.forget(header.number)
        return tail
    }

    /// Copies the transactions and moves behind `start`, each in a frame of its own place and chain.
    private func copy(
        _ start: SegmentScanner.Position,
        of header: SegmentHeader,
        to file: any File,
        at tail: inout JournalTail
    ) throws(StorageError) {
        var scanner = try SegmentScanner(
            try files.file(header.number),
            salt: header.salt,
            from: start,
            limit: replay.end.offset
        )
        var end = tail
        _ = try scanner.scan { frame, payload throws(StorageError) in
            let kind = frame.header.kind
            guard kind == .transaction || kind == .moves else { return true }
            var buffer = ByteBuffer(capacity: frame.header.frameLength)
            buffer.appendZeros(FrameHeader.byteCount)
            buffer.append(payload)
            let offset = end.offset
            end.seat(kind, in: &buffer, watermark: replay.proven)
            try buffer.withBytes(0..<buffer.count) { bytes throws(StorageError) in
                try describing("Recovering the last commits") { () throws(SystemCallError) in
                    try file.write(bytes, at: offset)
                }
            }
            return true
        }
        guard end.number == replay.end.number else {
            throw .corruption(
                "The last commits could not be read a second time.",
                path: file.path,
                offset: scanner.position.offset
            )
        }
        tail = end
    }

    /// Points the keys of the rewritten frames at the new segment.
    func relocate(_ root: inout StorageRoot, to tail: JournalTail) throws(StorageError) {
        let header = tail.header
        var moved = root
        try forgetTombstones(in: &moved)
        var scanner = try SegmentScanner(
            try files.file(header.number),
            salt: header.salt,
            from: SegmentScanner.Position(startOf: header),
            limit: tail.offset
        )
        _ = try scanner.scan { frame, payload throws(StorageError) in
            try moved.apply(frame, payload, segment: header.number, files: files)
            return true
        }
        root = moved
    }

    /// What deletes have left in the old segment is dead.
    private func forgetTombstones(in root: inout StorageRoot) throws(StorageError) {
        guard let last = replay.segments.last?.header else { return }
        let start = try ProvenEnd(directory: directory, files: files, replay: replay)
            .position(in: last)
        var scanner = try SegmentScanner(
            try files.file(last.number),
            salt: last.salt,
            from: start,
            limit: replay.end.offset
        )
        var changed = root
        _ = try scanner.scan { frame, payload throws(StorageError) in
            changed.forgetTombstones(of: frame, payload, segment: last.number)
            return true
        }
        root = changed
    }
}
