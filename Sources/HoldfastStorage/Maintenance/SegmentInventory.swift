/// The segments that stand in a store's directory, by their headers, and what is wrong with them.
struct SegmentInventory {
    private(set) var headers: [SegmentHeader] = []
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
        // A listing may have the later and not the earlier of two names that come while it is read.
        // A segment never goes, so that the second listing has all up to the newest of the first.
        let newest = try directory.listing().segments.last ?? 0
        let numbers = try directory.listing().segments.filter { $0 <= newest }
        var expected: UInt32 = 1
        for number in numbers {
            if expected < number { findings.append(.missingSegments(expected...number - 1)) }
            expected = number &+ 1
            try read(number, isLast: number == numbers.last)
        }
        if numbers.isEmpty { findings.append(.missingSegments(1...1)) }
    }

    private mutating func read(_ number: UInt32, isLast: Bool) throws(StorageError) {
        var bytes = try headerBytes(number)
        var (header, damaged) = try parse(bytes, number)
        // The first segment gets its name with its header.
        if !damaged.isEmpty, isLast, number > 1 {
            // A header is synced before the first frame is written behind it: without one it may
            // just be written, and with one it is there by now.
            guard try files.content(of: number) == .frames else {
                if let header, isRight(header, number) { headers.append(header) }
                return
            }
            bytes = try headerBytes(number)
            (header, damaged) = try parse(bytes, number)
        }
        guard let header else { return try addHeadless(number) }
        let name = StoreDirectory.segmentName(number)
        guard isRight(header, number) else { return findings.append(.misplaced(name, header)) }
        for copy in damaged { findings.append(.header(name, copy: copy)) }
        headers.append(header)
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
