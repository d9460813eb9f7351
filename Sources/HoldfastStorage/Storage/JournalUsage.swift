/// How much of each segment of a journal is in use: the bytes of entries that some key points at,
/// and those of tombstones.
///
/// It never counts too little: compaction gives up a segment without looking into it when nothing in
/// it counts. A tombstone that was moved counts in both places as long as its old segment is there.
/// Copies share what they do not change, a stretch of segments at a time, so that a commit in a
/// store of many segments stays cheap.
struct JournalUsage: Sendable {
    /// The tombstones of one segment that hide what stands in the same segments.
    struct Hiding: Hashable, Sendable {
        var hidden: ClosedRange<UInt32>
        var bytes: UInt64
    }

    private struct Chunk: Sendable {
        let index: UInt32
        var live = [UInt64](repeating: 0, count: Int(JournalUsage.chunk))
        /// Empty as long as no segment of the stretch has tombstones.
        var tombstones: [[Hiding]] = []

        var isEmpty: Bool { tombstones.allSatisfy(\.isEmpty) && live.allSatisfy { $0 == 0 } }
    }

    private static let chunk: UInt32 = 64
    /// So many different ranges are kept apart for a segment; more share one that holds them all.
    private static let mostRanges = 32

    /// In the order of the segments.
    private var chunks: [Chunk] = []
    /// The bytes of all entries that some key points at.
    private(set) var liveBytes: UInt64 = 0
    /// The bytes of all tombstones.
    private(set) var tombstoneBytes: UInt64 = 0
    /// The segments that are gone.
    private(set) var retired: RetiredNumbers

    init(retired: RetiredNumbers = RetiredNumbers()) { self.retired = retired }

    /// What a checkpoint says is in use.
    init(_ segments: [SegmentSummary]) {
        self.init()
        for segment in segments {
            liveBytes &+= segment.liveBytes
            change(segment.number) { $0.live[$1] = segment.liveBytes }
            for tombstones in segment.tombstones {
                add(
                    Tombstone(
                        segment: segment.number,
                        bytes: Int(clamping: tombstones.bytes),
                        hidden: tombstones.older
                    )
                )
            }
        }
    }

    /// The bytes of live entries in a segment.
    func live(in segment: UInt32) -> UInt64 {
        guard let place = place(of: segment) else { return 0 }
        return chunks[place].live[Self.slot(segment)]
    }

    /// The tombstones in a segment, by what they hide.
    func tombstones(in segment: UInt32) -> [Hiding] {
        guard let place = place(of: segment), !chunks[place].tombstones.isEmpty else { return [] }
        return chunks[place].tombstones[Self.slot(segment)]
    }

    /// The bytes of a segment's tombstones that still hide something, when `leaving` goes too.
    func neededTombstones(in segment: UInt32, leaving: Set<UInt32> = []) -> UInt64 {
        tombstones(in: segment).reduce(0) { sum, hiding in
            let isNeeded = retired.isNeeded(hiding.hidden, by: segment, leaving: leaving)
            return isNeeded ? sum + hiding.bytes : sum
        }
    }

    /// The segments that may hold older versions than a location, which comes in place of `old`.
    func older(
        than location: EntryLocation,
        replacing old: EntryLocation?
    ) -> ClosedRange<UInt32>? {
        guard let old else { return nil }
        let older = presentPart(of: old.older)
        if old.segment == location.segment { return older }
        return presentPart(of: older.including(old.segment))
    }

    /// The least range that holds the segments of another that are still there.
    func presentPart(of range: ClosedRange<UInt32>?) -> ClosedRange<UInt32>? {
        range.flatMap { retired.presentPart(of: $0) }
    }
}

extension JournalUsage {
    mutating func replace(_ old: EntryLocation?, with new: EntryLocation) {
        if let old { remove(old) }
        liveBytes &+= UInt64(new.length)
        change(new.segment) { $0.live[$1] &+= UInt64(new.length) }
    }

    mutating func remove(_ old: EntryLocation) {
        liveBytes -= min(liveBytes, UInt64(old.length))
        change(old.segment) { $0.live[$1] -= min($0.live[$1], UInt64(old.length)) }
    }

    mutating func add(_ tombstone: Tombstone) {
        tombstoneBytes &+= UInt64(tombstone.bytes)
        change(tombstone.segment) { chunk, slot in
            if chunk.tombstones.isEmpty {
                chunk.tombstones = Array(repeating: [], count: Int(Self.chunk))
            }
            chunk.tombstones[slot].add(tombstone, mostRanges: Self.mostRanges)
        }
    }

    mutating func remove(_ tombstone: Tombstone) {
        var removed = UInt64(0)
        change(tombstone.segment) { chunk, slot in
            guard !chunk.tombstones.isEmpty else { return }
            removed = chunk.tombstones[slot].remove(tombstone)
        }
        tombstoneBytes -= min(tombstoneBytes, removed)
    }

    /// Says which segments are gone, and forgets what stood in them.
    mutating func retire(_ numbers: RetiredNumbers) {
        guard numbers != retired else { return }
        let known = retired
        retired = numbers
        var gone = UInt64(0)
        for place in chunks.indices {
            let first = chunks[place].index * Self.chunk
            for slot in 0..<Self.chunk
            where numbers.contains(first + slot) && !known.contains(first + slot) {
                guard !chunks[place].tombstones.isEmpty else { continue }
                gone += chunks[place].tombstones[Int(slot)].reduce(0) { $0 + $1.bytes }
                chunks[place].tombstones[Int(slot)] = []
            }
        }
        tombstoneBytes -= min(tombstoneBytes, gone)
        chunks.removeAll(where: \.isEmpty)
    }

    private static func slot(_ segment: UInt32) -> Int { Int(segment % chunk) }

    private func place(of segment: UInt32) -> Int? {
        let place = lowerBound(segment / Self.chunk)
        return place < chunks.count && chunks[place].index == segment / Self.chunk ? place : nil
    }

    private func lowerBound(_ index: UInt32) -> Int {
        // Most changes are of the newest segments.
        if let last = chunks.last, last.index == index { return chunks.count - 1 }
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle].index < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func change(_ segment: UInt32, _ body: (inout Chunk, Int) -> Void) {
        let index = segment / Self.chunk
        let place = lowerBound(index)
        if place == chunks.count || chunks[place].index != index {
            chunks.insert(Chunk(index: index), at: place)
        }
        body(&chunks[place], Self.slot(segment))
    }
}

extension [JournalUsage.Hiding] {
    fileprivate mutating func add(_ tombstone: Tombstone, mostRanges: Int) {
        let bytes = UInt64(tombstone.bytes)
        if let place = firstIndex(where: { $0.hidden == tombstone.hidden }) {
            self[place].bytes &+= bytes
        } else if count < mostRanges {
            append(JournalUsage.Hiding(hidden: tombstone.hidden, bytes: bytes))
        } else {
            // The last one takes in all others: what it hides is at most said to be more.
            let last = self[count - 1]
            let hidden = tombstone.hidden
            self[count - 1].hidden =
                Swift.min(
                    last.hidden.lowerBound,
                    hidden.lowerBound
                )...Swift.max(
                    last.hidden.upperBound,
                    hidden.upperBound
                )
            self[count - 1].bytes &+= bytes
        }
    }

    /// - Returns: The bytes that were taken out.
    fileprivate mutating func remove(_ tombstone: Tombstone) -> UInt64 {
        let place =
            firstIndex { $0.hidden == tombstone.hidden }
            ?? lastIndex {
                $0.hidden.contains(tombstone.hidden.lowerBound)
                    && $0.hidden.contains(tombstone.hidden.upperBound)
            }
        guard let place else { return 0 }
        let bytes = Swift.min(self[place].bytes, UInt64(tombstone.bytes))
        self[place].bytes -= bytes
        if self[place].bytes == 0 { remove(at: place) }
        return bytes
    }
}
