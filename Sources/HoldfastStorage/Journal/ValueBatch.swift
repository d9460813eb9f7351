/// The next entries of a scan: gathered from a tree, read together in the order in which they stand
/// in the journal, and handed out in the order of the scan.
///
/// Its memory is bounded: a batch is full with a number of entries or of bytes, and a long value is
/// read at its turn alone. The first batches are small, so that a scan that ends early has read
/// little.
package struct ValueBatch: ~Copyable {
    private struct Entry {
        /// Where the index key is, for an entry of an index; it ends where the key starts.
        let indexKey: Range<Int>
        let key: Range<Int>
        /// `nil` when an index names a record that is not there.
        let location: EntryLocation?
        /// Where the value is, once it is read.
        var value: Range<Int>?
    }

    /// An entry, to be read in the order of the places.
    private struct Place {
        let place: UInt64
        let index: Int
    }

    private static let entryLimit = 512
    private static let byteLimit = 512 << 10
    private static let longValue: UInt32 = 64 << 10
    /// A gap in the journal that is cheaper to read than to leave out.
    private static let gapLimit: UInt64 = 2 << 10
    private static let runLimit: UInt64 = 256 << 10
    /// Entries that stand together in such a number cost less to read than to look for in the
    /// cache.
    private static let longRun = 8
    /// How many entries a batch has that says what the next ones will be like.
    private static let lesson = 128

    private var entries: [Entry] = []
    private var places: [Place] = []
    private var keys = ByteBuffer()
    private var values = ByteBuffer()
    private var limit: Int
    private var pending = 0
    /// Whether the cache is looked into: not in a long scan that finds little there.
    private var asksCache = true
    /// Whether places are sorted: not in a long scan whose values stand far apart.
    private var sortsPlaces = true
    /// What the batch did, to learn from.
    private var (asked, found, runs) = (0, 0, 0)

    /// An empty batch of a scan that is known to need `count` entries, or nothing is known of it.
    init(expecting count: Int?) {
        limit = min(max(count ?? 8, 1), Self.entryLimit)
    }

    var isEmpty: Bool { entries.isEmpty }

    var isFull: Bool { entries.count >= limit || pending >= Self.byteLimit }

    /// Takes an entry of the primary tree.
    mutating func append(_ key: RawSpan, at payload: RawSpan) {
        append(indexKey: keys.count..<keys.count, key, at: EntryLocation(payload))
    }

    /// Takes an entry of an index and the location of the record that it names.
    mutating func append(_ indexKey: RawSpan, _ key: RawSpan, at location: EntryLocation?) {
        let start = keys.count
        keys.append(indexKey)
        append(indexKey: start..<keys.count, key, at: location)
    }

    private mutating func append(
        indexKey: Range<Int>,
        _ key: RawSpan,
        at location: EntryLocation?
    ) {
        keys.append(key)
        let range = indexKey.upperBound..<keys.count
        entries.append(Entry(indexKey: indexKey, key: range, location: location, value: nil))
        if let location, location.length <= Self.longValue { pending += Int(location.length) }
    }

    /// Reads what stands in the files and is not long.
    mutating func read(_ files: SegmentFiles, where isInFiles: (EntryLocation) -> Bool) {
        for (index, entry) in entries.enumerated() {
            guard let location = entry.location, location.length <= Self.longValue,
                isInFiles(location)
            else { continue }
            places.append(Place(place: location.place, index: index))
        }
        if sortsPlaces { places.sort { $0.place < $1.place } }
        var start = 0
        while start < places.count {
            let end = sortsPlaces ? endOfRun(from: start) : start + 1
            readRun(start..<end, files)
            start = end
            runs += 1
        }
        learn()
    }

    /// A scan that goes on for long goes on as it was: it leaves out what brought nothing.
    private mutating func learn() {
        guard places.count >= Self.lesson else { return }
        if found * 8 < asked { asksCache = false }
        if runs * 8 > places.count * 7 { sortsPlaces = false }
    }

    private func end(_ place: Place) -> UInt64 {
        place.place + UInt64(entries[place.index].location?.length ?? 0)
    }

    private func endOfRun(from start: Int) -> Int {
        let first = places[start].place
        var covered = end(places[start])
        var index = start + 1
        while index < places.count, places[index].place >> 32 == first >> 32,
            places[index].place <= covered + Self.gapLimit,
            end(places[index]) - first <= Self.runLimit
        {
            covered = max(covered, end(places[index]))
            index += 1
        }
        return index
    }

    private mutating func readRun(_ run: Range<Int>, _ files: SegmentFiles) {
        let cache = asksCache && run.count < Self.longRun ? files.cache : nil
        if let cache, takeCached(run, cache) { return }
        let epoch = cache?.epoch ?? 0
        let first = places[run.lowerBound].place
        let count = Int(end(places[run.upperBound - 1]) - first)
        let start = values.count
        let segment = UInt32(truncatingIfNeeded: first >> 32)
        guard let file = try? files.file(segment),
            (try? values.append(from: file, at: first & 0xFFFF_FFFF, count: count)) == count
        else { return values.truncate(to: start) }
        for place in places[run] where entries[place.index].value == nil {
            let value = verify(entries[place.index], at: start + Int(place.place - first))
            entries[place.index].value = value
            guard let cache, let value, let location = entries[place.index].location else {
                continue
            }
            values.withBytes(value) { cache.offer($0, at: location, epoch: epoch) }
        }
    }

    /// - Returns: Whether the cache holds all of them.
    private mutating func takeCached(_ run: Range<Int>, _ cache: ValueCache) -> Bool {
        var hasAll = true
        for place in places[run] {
            guard let location = entries[place.index].location else { continue }
            let start = values.count
            asked += 1
            if values.append(cached: location, from: cache) {
                found += 1
                entries[place.index].value = start..<values.count
            } else {
                hasAll = false
            }
        }
        return hasAll
    }

    private func verify(_ entry: Entry, at start: Int) -> Range<Int>? {
        guard let location = entry.location else { return nil }
        let value = keys.withBytes(entry.key) { key in
            values.withBytes(start..<start + Int(location.length)) { bytes in
                FrameEntry.valueRange(in: bytes, for: key, number: location.number)
            }
        }
        return value.map { start + $0.lowerBound..<start + $0.upperBound }
    }

    /// Calls `visit` with each entry, until it returns `false`, and empties the batch.
    ///
    /// - Returns: Whether it may go on.
    /// - Throws: ``StorageError`` at the turn of an entry whose value cannot be read.
    mutating func deliver<Source: ValueSource>(
        from source: Source,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError) -> Bool {
        for entry in entries {
            let goesOn = try keys.withBytes(entry.key) { key throws(StorageError) in
                try keys.withBytes(entry.indexKey) { indexKey throws(StorageError) in
                    try withValue(of: entry, key, source) { visit(indexKey, key, $0) }
                }
            }
            guard goesOn else { return false }
        }
        empty()
        return true
    }

    private func withValue<Source: ValueSource>(
        of entry: Entry,
        _ key: RawSpan,
        _ source: Source,
        _ body: (RawSpan) -> Bool
    ) throws(StorageError) -> Bool {
        if let value = entry.value { return values.withBytes(value, body) }
        guard let location = entry.location else { throw .missingRecord }
        return try location.withBytes { payload throws(StorageError) in
            try source.withValue(at: payload, for: key, body)
        }
    }

    private mutating func empty() {
        entries.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        keys.truncate(to: 0)
        values.truncate(to: 0)
        pending = 0
        (asked, found, runs) = (0, 0, 0)
        limit = min(limit * 4, Self.entryLimit)
    }
}

extension StorageError {
    /// An index entry stands for a record that is gone.
    static var missingRecord: StorageError {
        StorageError(
            .corruption,
            "An index names a record that is not there; run `hold verify`."
        )
    }
}
