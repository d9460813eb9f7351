/// Reads a store's files past any damage, and reports all that it meets: for looking at a journal,
/// verifying it, and saving what is left.
package struct JournalInspector {
    package enum Event: ~Copyable {
        case segment(SegmentHeader)
        case frame(segment: UInt32, offset: UInt64, FrameHeader)
        case damage(Finding)
        /// The bytes that damage has made unreadable as frames, and the commits that stood there.
        case gap(segment: UInt32, ClosedRange<SequenceNumber>)
        /// An unfinished write behind the last commit.
        case tornTail(segment: UInt32, offset: UInt64)
    }

    package typealias Visitor =
        (_ event: borrowing Event, _ payload: RawSpan) throws -> Void

    let directory: StoreDirectory
    let files: SegmentFiles
    private let store: StoreID?
    private let hasWriter: Bool

    /// Looks at the store in a directory.
    ///
    /// - Throws: ``StorageError`` where there is no store, or a newer one.
    package init(at path: String, configuration: JournalConfiguration) throws(StorageError) {
        directory = StoreDirectory(path: path, fileSystem: configuration.fileSystem)
        try directory.requireStore()
        files = SegmentFiles(directory)
        store = try directory.readIdentity().store
        hasWriter = try StoreLock.isHeld(directory)
    }

    /// Visits everything in the order of the journal.
    ///
    /// It changes nothing.
    package func inspect(_ visit: Visitor) throws {
        let listing = try directory.listing()
        let nothing: [UInt8] = []
        func report(_ event: consuming Event) throws {
            try unsafe visit(event, nothing.span.bytes)
        }
        for finding in try directory.identityFindings() { try report(.damage(finding)) }
        let witness = try directory.witness(listing, store: store)
        if listing.hasClosed, witness == nil {
            try report(.damage(.witness(StoreDirectory.closedName)))
        }
        var walk = Walk(proven: witness?.number ?? .zero)
        let segments = try readHeaders(listing, report)
        for (index, header) in segments.enumerated() {
            try report(.segment(header))
            let successor = index + 1 < segments.count ? segments[index + 1] : nil
            try read(header, before: successor, &walk, visit, report)
        }
        try reportEnd(walk, segments, report)
    }

    /// What the frames read so far add up to.
    private struct Walk {
        var proven: SequenceNumber
        var last = SequenceNumber.zero
        var isSealed = false
        var end: UInt64 = 0
    }

    private typealias Report = (consuming Event) throws -> Void

    private func readHeaders(
        _ listing: StoreDirectory.Listing,
        _ report: Report
    ) throws -> [SegmentHeader] {
        var headers: [SegmentHeader] = []
        var expected: UInt32 = 1
        for number in listing.segments {
            while expected < number {
                try report(.damage(.missingSegment(expected)))
                expected += 1
            }
            expected = number + 1
            if let header = try readHeader(number, isLast: number == listing.segments.last, report)
            {
                headers.append(header)
            }
        }
        return headers
    }

    private func readHeader(
        _ number: UInt32,
        isLast: Bool,
        _ report: Report
    ) throws -> SegmentHeader? {
        let name = StoreDirectory.segmentName(number)
        let bytes = try describing("Reading the journal") { () throws(SystemCallError) in
            try directory.read(name, limit: DoubledRecord.byteCount)
        }
        let path = directory.segmentPath(number)
        guard let header = try unsafe SegmentHeader.parse(bytes.span.bytes, path: path) else {
            if isLast, try files.content(of: number) != .frames { return nil }
            try report(.damage(.header(name, copy: nil)))
            return nil
        }
        guard header.number == number, store == nil || header.store == store else {
            try report(.damage(.misplaced(name, header)))
            return nil
        }
        for (copy, start) in [0, DoubledRecord.stride].enumerated() {
            let end = min(start + DoubledRecord.stride, bytes.count)
            let isIntact = try unsafe FileSignature.segment.isIntact(
                bytes.span.bytes.extracting(min(start, end)..<end),
                minimum: SegmentHeader.byteCount,
                path: path
            )
            if !isIntact { try report(.damage(.header(name, copy: copy))) }
        }
        return header
    }

    private func read(
        _ header: SegmentHeader,
        before successor: SegmentHeader?,
        _ walk: inout Walk,
        _ visit: Visitor,
        _ report: Report
    ) throws {
        let name = StoreDirectory.segmentName(header.number)
        walk.proven = max(walk.proven, header.before)
        if walk.last.next < header.first {
            try report(.damage(.missingCommits(name, walk.last.next, header.first, at: 0)))
        }
        var scanner = try SegmentScanner(
            try files.file(header.number),
            salt: header.salt,
            from: SegmentScanner.Position(startOf: header),
            limit: successor?.predecessorLength
        )
        if let successor {
            walk.proven = max(walk.proven, successor.before)
        }
        while true {
            let ending = try scanner.inspect(header.number, visit)
            walk.proven = max(walk.proven, scanner.watermark)
            guard ending == .broken else { break }
            let remains = try scanner.remains()
            walk.proven = max(walk.proven, remains.watermark)
            let isTail = successor == nil && scanner.position.number >= walk.proven
            if !isTail, hasWriter, successor == nil {
                // A writer may have filled the gap since it was read: damage is what stays.
                let before = scanner.position
                try scanner.refresh()
                _ = try scanner.inspect(header.number, visit)
                if scanner.position != before { continue }
            }
            if isTail {
                if !remains.isZero, !hasWriter {
                    try report(.tornTail(segment: header.number, offset: scanner.position.offset))
                }
                break
            }
            try report(.damage(.frame(name, scanner.position)))
            guard try scanner.visitGap(header.number, through: walk.proven, visit) else { break }
        }
        walk.last = max(walk.last, scanner.position.number)
        walk.end = scanner.position.offset
        walk.isSealed = scanner.isSealed
    }

    private func reportEnd(
        _ walk: Walk,
        _ segments: [SegmentHeader],
        _ report: Report
    ) throws {
        guard let last = segments.last else {
            return try report(.damage(.missingSegment(1)))
        }
        if walk.last < walk.proven {
            try report(
                .damage(
                    .missingCommits(
                        StoreDirectory.segmentName(last.number),
                        walk.last.next,
                        walk.proven.next,
                        at: walk.end
                    )
                )
            )
        }
        let isAlone = try directory.listing().segments.last == last.number
        if walk.isSealed, isAlone {
            try report(.damage(.missingSegment(last.number + 1)))
        }
    }
}

extension SegmentScanner {
    /// Visits frames up to the end or the next damage.
    fileprivate mutating func inspect(
        _ segment: UInt32,
        _ visit: JournalInspector.Visitor
    ) throws -> End? {
        var problem: (any Error)?
        let end = try scan { frame, payload throws(StorageError) in
            do {
                let event = JournalInspector.Event.frame(
                    segment: segment,
                    offset: frame.offset,
                    frame.header
                )
                try visit(event, payload)
                return true
            } catch {
                problem = error
                return false
            }
        }
        if let problem { throw problem }
        return end
    }

    /// Skips damage and visits the bytes that it takes.
    ///
    /// - Returns: `false` when no frame follows.
    fileprivate mutating func visitGap(
        _ segment: UInt32,
        through proven: SequenceNumber,
        _ visit: JournalInspector.Visitor
    ) throws -> Bool {
        let start = position
        let goesOn = try skipDamage()
        let last = goesOn ? position.number : proven
        guard last > start.number else { return goesOn }
        let event = JournalInspector.Event.gap(segment: segment, start.number.next...last)
        // A file that was cut inside its header ends before its first frame.
        let length = Int(max(goesOn ? position.offset : end, start.offset) - start.offset)
        let bytes = try describing("Reading the journal") { () throws(SystemCallError) in
            try file.read(count: length, at: start.offset)
        }
        try unsafe visit(event, bytes.span.bytes)
        return goesOn
    }
}
