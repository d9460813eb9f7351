/// One way through a store's journal, past any damage, a segment at a time.
///
/// Another process may write meanwhile. So each witness is read before what it vouches for, and a
/// place without a right frame is read twice before it is called damage.
struct JournalWalk {
    let directory: StoreDirectory
    private let files: SegmentFiles
    private let map: JournalMap
    let store: StoreID?
    private var headless: ArraySlice<UInt32>
    private var index = 0
    /// The damage that was found before the first frame.
    private var findings: [Finding] = []
    /// The greatest number that is known to have been durable so far.
    private(set) var proven = SequenceNumber.zero
    /// The last transaction that was met.
    private(set) var last = SequenceNumber.zero
    private var end: UInt64 = 0
    private var isSealed = false

    init(_ directory: StoreDirectory) throws(StorageError) {
        self.directory = directory
        files = SegmentFiles(directory, cacheBytes: 0)
        let copies = try directory.identityCopies()
        for (copy, identity) in copies.enumerated() where identity == nil {
            findings.append(.identity(copy: copy))
        }
        let store = copies.compactMap { $0 }.first?.store
        if let bytes = try directory.closedBytes() {
            if let witness = try directory.witness(in: bytes, store: store) {
                proven = witness.number
            } else {
                findings.append(.witness(StoreDirectory.closedName))
            }
        }
        let inventory = try SegmentInventory(directory, files, store: store)
        map = inventory.map
        self.store = store
        headless = inventory.headless[...]
        findings += inventory.findings
    }

    /// Visits the next segment.
    ///
    /// - Returns: `false` once there is none, and the end was judged.
    mutating func visitNext(_ visit: JournalInspector.Visitor) throws -> Bool {
        for finding in findings { try report(.damage(finding), to: visit) }
        findings = []
        try visitHeadless(visit)
        guard index < segments.count else {
            try reportEnd(visit)
            return false
        }
        try report(.segment(segments[index]), to: visit)
        do {
            try read(segments[index], visit)
        } catch let error as StorageError {
            // Compaction may have given it up since, and what it held stands further on.
            guard try directory.isRetired(segments[index].number, store: store) else { throw error }
            last = max(last, next?.before ?? last)
        }
        index += 1
        return true
    }

    private var segments: [SegmentHeader] { map.headers }

    /// The segments that are gone.
    var retired: RetiredSegments { map.retired }

    /// How many bytes there are to read, about.
    func byteCount() throws(StorageError) -> UInt64 {
        guard let newest = segments.last else { return 0 }
        let file = try files.file(newest.number)
        let size = try describing("Reading the journal") { () throws(SystemCallError) in
            try file.size()
        }
        return segments.indices.reduce(0) { $0 + (map.end(ofIndex: $1)?.length ?? size) }
    }

    /// Visits the segments without a header that stand before the next one that has one.
    private mutating func visitHeadless(_ visit: JournalInspector.Visitor) throws {
        let upcoming = index < segments.count ? segments[index] : nil
        while let number = headless.first, number < upcoming?.number ?? .max {
            headless.removeFirst()
            // Where its predecessor ends is not known: some of what stands there may stand here.
            let first = index > 0 ? segments[index - 1].first : SequenceNumber(1)
            let through = upcoming.map { max($0.before, first) }
            let file = try files.file(number)
            let size = try describing("Reading the journal") { () throws(SystemCallError) in
                try file.size()
            }
            // What lies behind the end that the successor states was given up.
            let isNext = upcoming.map { $0.number - 1 == number } ?? false
            let end = min(size, isNext ? upcoming?.predecessorLength ?? size : size)
            guard end > SegmentHeader.firstFrame else { continue }
            let event = JournalInspector.Event.headless(
                segment: number,
                from: first,
                through: through
            )
            try visitStretches(of: file, SegmentHeader.firstFrame..<end) { bytes in
                try visit(event, bytes)
            }
        }
    }

    private func report(
        _ event: consuming JournalInspector.Event,
        to visit: JournalInspector.Visitor
    ) throws {
        let nothing: [UInt8] = []
        try unsafe visit(event, nothing.span.bytes)
    }

    /// The next segment that could be identified; there may be lost ones before it.
    private var next: SegmentHeader? {
        index + 1 < segments.count ? segments[index + 1] : nil
    }

    /// Where this segment ends, if something says so.
    private var boundary: SegmentBoundary? { map.end(ofIndex: index) }

    /// The last commit of this segment, or of those that follow and are lost.
    private var through: SequenceNumber? {
        boundary.map { SequenceNumber($0.next.rawValue &- 1) } ?? next?.before
    }

    private mutating func read(
        _ header: SegmentHeader,
        _ visit: JournalInspector.Visitor
    ) throws {
        let name = StoreDirectory.segmentName(header.number)
        let hole = map.retired.range(holding: header.number &- 1)
        let first = hole?.start.next ?? header.first
        if last.next < first {
            let finding = Finding.missingCommits(name, last.next, first, at: 0)
            try report(.damage(finding), to: visit)
        }
        last = max(last, hole.map { SequenceNumber($0.end.next.rawValue &- 1) } ?? last)
        proven = max(proven, header.before, next?.before ?? .zero)
        var scanner = try SegmentScanner(
            try files.file(header.number),
            salt: header.salt,
            from: SegmentScanner.Position(startOf: header),
            limit: boundary?.length
        )
        var broken: SegmentScanner.Position?
        while true {
            let outcome = try scanner.inspect(header.number, through: through, visit)
            proven = max(proven, scanner.watermark)
            last = max(last, scanner.position.number)
            end = scanner.position.offset
            isSealed = scanner.isSealed
            guard outcome == .broken, try pass(&scanner, &broken, header.number, visit)
            else { break }
        }
    }

    /// Judges a place where no right frame stands, and goes past it if it is damaged.
    ///
    /// - Returns: Whether to go on.
    private mutating func pass(
        _ scanner: inout SegmentScanner,
        _ broken: inout SegmentScanner.Position?,
        _ segment: UInt32,
        _ visit: JournalInspector.Visitor
    ) throws -> Bool {
        let remains = try scanner.remains()
        proven = max(proven, remains.watermark)
        let place = scanner.position
        let isTail =
            next == nil && place.number >= proven && !isProvenByMoves(segment, place.offset)
        if isTail, try remains.isZero || StoreLock.isHeld(directory) { return false }
        if broken != place {
            // A writer may have filled the place since it was read: damage is what stays.
            broken = place
            try scanner.refresh()
            return true
        }
        if isTail {
            try report(.tornTail(segment: segment, offset: place.offset), to: visit)
            return false
        }
        let goesOn = try scanner.skipDamage()
        // Where a segment ends that lost its successor is not known: nothing has to follow, and
        // what does may have been given up.
        if let next, boundary == nil, !goesOn || scanner.position.number >= next.before {
            return false
        }
        let name = StoreDirectory.segmentName(segment)
        try report(.damage(.frame(name, place)), to: visit)
        let last = goesOn ? scanner.position.number : through ?? proven
        // Where no commit is missing, moves may have stood.
        let numbers = place.number < last ? place.number.next...last : nil
        let end = goesOn ? scanner.position.offset : scanner.end
        try scanner.visit(place.offset..<max(place.offset, end), segment, numbers, visit)
        return goesOn
    }

    /// Whether compaction has made durable what stood behind a place.
    private func isProvenByMoves(_ segment: UInt32, _ offset: UInt64) -> Bool {
        guard let place = retired.proven else { return false }
        return place.segment == segment && offset < place.offset
    }

    private func reportEnd(_ visit: JournalInspector.Visitor) throws {
        if last < proven {
            let name = StoreDirectory.segmentName(segments.last?.number ?? 1)
            let finding = Finding.missingCommits(name, last.next, proven.next, at: end)
            try report(.damage(finding), to: visit)
        }
        // The next file stands before the seal does: sealed and alone means that it was lost.
        guard isSealed, let newest = segments.last?.number, newest < .max else { return }
        let number = newest + 1
        let isThere = try describing("Reading the journal") { () throws(SystemCallError) in
            try directory.fileSystem.kind(of: directory.segmentPath(number)) != nil
        }
        if !isThere { try report(.damage(.missingSegments(number...number)), to: visit) }
    }
}
