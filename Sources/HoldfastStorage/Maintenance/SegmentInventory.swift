/// The segments that stand in a store's directory, by their headers, and what is wrong with them.
struct SegmentInventory {
    private(set) var map = JournalMap()
    private(set) var findings: [Finding] = []
    /// The segments without an intact header that hold something.
    private(set) var headless: [UInt32] = []
    private let directory: StoreDirectory
    private let files: SegmentFiles
    private let store: StoreID?

    init(
        _ directory: StoreDirectory,
        _ files: SegmentFiles,
        store: StoreID?
    ) throws(StorageError) {
        self.directory = directory
        self.files = files
        self.store = store
        // A listing may have the later and not the earlier of two names that come while it is read,
        // so that the second one has all up to the newest of the first. A segment goes only after
        // the list of the retired names it.
        let newest = try directory.listing().segments.last ?? 0
        let listing = try directory.listing().segments.filter { $0 <= newest }
        try readRetired()
        let gone = map.retired.numbers
        let numbers = listing.filter { !gone.contains($0) }
        var last: UInt32 = 0
        for number in numbers {
            noteMissing(after: last, before: number)
            last = number
            do throws(StorageError) {
                try read(number, isLast: number == numbers.last)
            } catch {
                guard try directory.isRetired(number, store: store) else { throw error }
            }
        }
        if numbers.isEmpty { findings.append(.missingSegments(1...1)) }
    }

    private mutating func readRetired() throws(StorageError) {
        let copies = try directory.retiredCopies(store: store)
        for (copy, retired) in copies.enumerated() where retired == nil {
            findings.append(.retired(copy: copy))
        }
        map.retired = copies.compactMap { $0 }.first ?? RetiredSegments()
    }

    private mutating func noteMissing(after last: UInt32, before number: UInt32) {
        var expected = map.retired.next(after: last)
        while expected < number {
            let hole = map.retired.ranges.first { $0.segments.lowerBound > expected }
            let end = min(number, hole?.segments.lowerBound ?? number)
            findings.append(.missingSegments(expected...end - 1))
            expected = map.retired.next(after: end - 1)
        }
    }

    private mutating func read(_ number: UInt32, isLast: Bool) throws(StorageError) {
        var bytes = try headerBytes(number)
        var (header, damaged) = try parse(bytes, number)
        // The first segment gets its name with its header.
        if !damaged.isEmpty, isLast, number > 1 {
            // A header is synced before the first frame is written behind it: without one it may
            // just be written, and with one it is there by now.
            guard try files.content(of: number) == .frames else {
                if let header, isRight(header, number) { map.headers.append(header) }
                return
            }
            bytes = try headerBytes(number)
            (header, damaged) = try parse(bytes, number)
        }
        guard let header else { return try addHeadless(number) }
        let name = StoreDirectory.segmentName(number)
        guard isRight(header, number) else { return findings.append(.misplaced(name, header)) }
        for copy in damaged { findings.append(.header(name, copy: copy)) }
        map.headers.append(header)
    }

    private func isRight(_ header: SegmentHeader, _ number: UInt32) -> Bool {
        header.number == number && (store == nil || header.store == store)
    }

    private mutating func addHeadless(_ number: UInt32) throws(StorageError) {
        let isBlank = try files.content(of: number) == .nothing
        let name = StoreDirectory.segmentName(number)
        if !isBlank { headless.append(number) }
        findings.append(isBlank ? .blankSegment(number) : .header(name, copy: nil))
    }

    private func headerBytes(_ number: UInt32) throws(StorageError) -> [UInt8] {
        // The name may have gone over from a prepared file to a recovered one.
        files.forget(number)
        let file = try files.file(number)
        return try describing("Reading the journal") { () throws(SystemCallError) in
            try file.read(count: DoubledRecord.byteCount, at: 0)
        }
    }

    private func parse(
        _ bytes: [UInt8],
        _ number: UInt32
    ) throws(StorageError) -> (header: SegmentHeader?, damagedCopies: [Int]) {
        let path = directory.segmentPath(number)
        var damaged: [Int] = []
        for copy in 0...1 {
            let isIntact = try unsafe FileSignature.segment.isIntact(
                bytes.span.bytes.extracting(DoubledRecord.range(of: copy, in: bytes.span.bytes)),
                minimum: SegmentHeader.byteCount,
                path: path
            )
            if !isIntact { damaged.append(copy) }
        }
        return (try unsafe SegmentHeader.parse(bytes.span.bytes, path: path), damaged)
    }
}

extension StoreDirectory {
    /// Whether a segment was given up meanwhile, so that its file may be gone.
    func isRetired(_ segment: UInt32, store: StoreID?) throws(StorageError) -> Bool {
        let copies = try retiredCopies(store: store).compactMap { $0 }
        return copies.first?.numbers.contains(segment) ?? false
    }
}
