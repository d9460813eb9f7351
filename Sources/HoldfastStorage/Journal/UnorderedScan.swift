/// A scan in the order of the journal, which reads the files from their start to their end.
///
/// The tree says which entries are live. It is walked some times over, each time for the entries of
/// one stretch of the journal, so that the memory is bounded whatever the store's size.
struct UnorderedScan {
    private struct Live {
        let place: UInt64
        let number: UInt64
        let length: UInt32

        var end: UInt64 { place + UInt64(length) }
        var segment: UInt32 { UInt32(truncatingIfNeeded: place >> 32) }
    }

    /// Fewer keys are as fast in their own order.
    private static let least = 4_096
    /// The entries of one walk, at most about this many.
    private static let stretchEntries = 128 << 10
    /// The journal is divided by this power of two.
    private static let bucketBits: UInt64 = 22
    private static let gapLimit: UInt64 = 16 << 10
    private static let runLimit: UInt64 = 1 << 20

    let files: SegmentFiles
    let records: BTree
    let range: KeyRange

    /// Visits the records of the range.
    func run(_ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool) throws(StorageError) {
        guard try records.count(in: range) >= Self.least, let stretches = try stretches() else {
            return try records.scanValues(in: range, .forward, reading: files, visit)
        }
        var buffer = ByteBuffer()
        for stretch in stretches {
            guard try visitStretch(stretch, &buffer, visit) else { return }
        }
    }

    /// The journal in stretches of not too many live entries, or `nil` where the order of the keys
    /// is as good as the journal's.
    private func stretches() throws(StorageError) -> [Range<UInt64>]? {
        var counts: [UInt64: Int] = [:]
        var (bucket, count) = (UInt64.max, 0)
        var (previous, near, total) = (UInt64(0), 0, 0)
        try records.forEach(in: range) { _, payload in
            let place = EntryLocation(payload).place
            if place >> Self.bucketBits != bucket {
                counts[bucket, default: 0] += count
                (bucket, count) = (place >> Self.bucketBits, 0)
            }
            count += 1
            total += 1
            if place &- previous < Self.gapLimit { near += 1 }
            previous = place
            return true
        }
        counts[bucket, default: 0] += count
        counts[.max] = nil
        return near * 4 > total * 3 ? nil : Self.stretches(counts)
    }

    private static func stretches(_ counts: [UInt64: Int]) -> [Range<UInt64>] {
        var stretches: [Range<UInt64>] = []
        var room = 0
        for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) {
            let end = (bucket + 1) << bucketBits
            if count <= room, let last = stretches.popLast() {
                stretches.append(last.lowerBound..<end)
            } else {
                stretches.append(bucket << bucketBits..<end)
                room = stretchEntries
            }
            room -= count
        }
        return stretches
    }

    private func visitStretch(
        _ stretch: Range<UInt64>,
        _ buffer: inout ByteBuffer,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError) -> Bool {
        var entries: [Live] = []
        try records.forEach(in: range) { _, payload in
            let location = EntryLocation(payload)
            if stretch.contains(location.place) {
                entries.append(
                    Live(
                        place: location.place,
                        number: location.number.rawValue,
                        length: location.length
                    )
                )
            }
            return true
        }
        entries.sort { $0.place < $1.place }
        var rest = entries[...]
        while !rest.isEmpty {
            let run = Self.run(rest)
            guard try visitRun(run, &buffer, visit) else { return false }
            rest = rest[run.endIndex...]
        }
        return true
    }

    private static func run(_ entries: ArraySlice<Live>) -> ArraySlice<Live> {
        let first = entries[entries.startIndex]
        var index = entries.startIndex + 1
        var end = first.end
        while index < entries.endIndex, entries[index].segment == first.segment,
            entries[index].place <= end + gapLimit, entries[index].end - first.place <= runLimit
        {
            end = entries[index].end
            index += 1
        }
        return entries[..<index]
    }

    private func visitRun(
        _ run: ArraySlice<Live>,
        _ buffer: inout ByteBuffer,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError) -> Bool {
        let first = run[run.startIndex]
        let count = Int(run[run.endIndex - 1].end - first.place)
        let file = try files.file(first.segment)
        // What cannot be read together is read one by one.
        try? buffer.fill(from: file, at: first.place & 0xFFFF_FFFF, count: count)
        let isWhole = buffer.count == count
        for entry in run {
            let start = Int(entry.place - first.place)
            var outcome: Bool?
            if isWhole {
                outcome = buffer.withBytes(start..<start + Int(entry.length)) {
                    Self.visit(entry, $0, visit)
                }
            }
            if outcome == nil { outcome = try visitAlone(entry, file, visit) }
            guard outcome == true else { return false }
        }
        return true
    }

    /// Reads an entry by itself, since that of its neighbours failed: the error is its own.
    private func visitAlone(
        _ entry: Live,
        _ file: any File,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError) -> Bool {
        let offset = entry.place & 0xFFFF_FFFF
        let bytes = try describing("Reading a value") { () throws(SystemCallError) in
            try file.read(count: Int(entry.length), at: offset)
        }
        let outcome = bytes.withRawSpan { Self.visit(entry, $0, visit) }
        guard let outcome else { throw SegmentFiles.damaged(file, offset) }
        return outcome
    }

    /// - Returns: What `visit` returned; `nil` where the bytes are not the entry's.
    private static func visit(
        _ live: Live,
        _ bytes: RawSpan,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) -> Bool? {
        guard let entry = FrameEntry(bytes, at: 0), let value = entry.value,
            entry.bytes.upperBound == bytes.byteCount,
            entry.isIntact(in: bytes, number: SequenceNumber(live.number))
        else { return nil }
        return visit(bytes.extracting(entry.key), bytes.extracting(value))
    }
}

extension SegmentFiles {
    func scanUnordered(
        _ records: BTree,
        in range: KeyRange,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError) {
        try UnorderedScan(files: self, records: records, range: range).run(visit)
    }
}
