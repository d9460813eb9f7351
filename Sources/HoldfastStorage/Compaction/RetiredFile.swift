/// The `retired` file: which segments are gone (FORMAT.md, "retired").
///
/// It holds its record twice, the second time from the middle on: without it a hole in the journal
/// could not be told from a loss.
enum RetiredFile {
    private static let headerBytes = 96
    private static let rangeBytes = 56

    /// The file's bytes.
    static func bytes(of retired: RetiredSegments, store: StoreID) -> [UInt8] {
        var body = ByteBuffer()
        for range in retired.ranges { append(range, to: &body) }
        let check = body.withBytes(0..<body.count) { XXH64.hash(of: $0, seed: 0) }
        var record = FileSignature.retired.header(length: headerBytes) { buffer in
            buffer.append(store.first)
            buffer.append(store.second)
            buffer.append(UInt64(body.count))
            buffer.append(check)
            buffer.append(retired.proven?.segment ?? 0)
            buffer.append(retired.proven?.epoch ?? 0)
            buffer.append(retired.proven?.offset ?? 0)
            buffer.append(retired.proven?.chain ?? 0)
        }
        body.copy(to: &record)
        let stride = DoubledRecord.stride
        let padding = (stride - record.count % stride) % stride
        record += [UInt8](repeating: 0, count: padding)
        return record + record
    }

    private static func append(_ range: RetiredSegments.Range, to buffer: inout ByteBuffer) {
        buffer.append(range.segments.lowerBound)
        buffer.append(range.segments.upperBound)
        buffer.append(range.start.next.rawValue)
        buffer.append(range.end.next.rawValue)
        for boundary in [range.start, range.end] {
            buffer.append(boundary.length)
            buffer.append(boundary.chain)
        }
    }

    /// What each of the two copies says; `nil` for one that is damaged.
    static func copies(
        in bytes: RawSpan,
        store: StoreID?,
        path: String
    ) throws(StorageError) -> [RetiredSegments?] {
        let half = bytes.byteCount / 2
        let first = try parse(bytes.extracting(first: half), store: store, path: path)
        let second = try parse(bytes.extracting(half..<2 * half), store: store, path: path)
        return [first, second]
    }

    private static func parse(
        _ copy: RawSpan,
        store: StoreID?,
        path: String
    ) throws(StorageError) -> RetiredSegments? {
        let header = copy.extracting(first: min(copy.byteCount, DoubledRecord.stride))
        guard try FileSignature.retired.isIntact(header, minimum: headerBytes, path: path)
        else { return nil }
        let owner = StoreID(first: copy.integer(at: 16), second: copy.integer(at: 24))
        let start = Int(copy.integer(at: 12, as: UInt32.self))
        guard store == nil || owner == store,
            let count = Int(exactly: copy.integer(at: 32, as: UInt64.self)),
            count <= copy.byteCount - start, count % rangeBytes == 0
        else { return nil }
        let body = copy.extracting(start..<start + count)
        guard XXH64.hash(of: body, seed: 0) == copy.integer(at: 40) else { return nil }
        let proven = RetiredSegments.Place(
            segment: copy.integer(at: 48),
            epoch: copy.integer(at: 52),
            offset: copy.integer(at: 56),
            chain: copy.integer(at: 64)
        )
        var ranges: [RetiredSegments.Range] = []
        for at in stride(from: 0, to: count, by: rangeBytes) {
            guard let range = range(in: body, at: at) else { return nil }
            ranges.append(range)
        }
        return RetiredSegments(ranges, proven: proven)
    }

    private static func range(in body: RawSpan, at offset: Int) -> RetiredSegments.Range? {
        let first: UInt32 = body.integer(at: offset)
        let last: UInt32 = body.integer(at: offset + 4)
        guard first <= last else { return nil }
        return RetiredSegments.Range(
            segments: first...last,
            start: SegmentBoundary(
                length: body.integer(at: offset + 24),
                chain: body.integer(at: offset + 32),
                next: SequenceNumber(body.integer(at: offset + 8))
            ),
            end: SegmentBoundary(
                length: body.integer(at: offset + 40),
                chain: body.integer(at: offset + 48),
                next: SequenceNumber(body.integer(at: offset + 16))
            )
        )
    }
}

extension StoreDirectory {
    /// The copies of the `retired` file; empty where there is none.
    func retiredCopies(store: StoreID?) throws(StorageError) -> [RetiredSegments?] {
        let path = path(Self.retiredName)
        let bytes: [UInt8]? = try describing("Reading the journal") { () throws(SystemCallError) in
            let file: any File
            do throws(SystemCallError) {
                file = try fileSystem.open(path, .read)
            } catch  where error.errno == .notFound {
                return nil
            }
            defer { file.close() }
            return try file.read(count: Int(min(file.size(), 1 << 28)), at: 0)
        }
        guard let bytes else { return [] }
        return try unsafe RetiredFile.copies(in: bytes.span.bytes, store: store, path: path)
    }

    /// The segments that are gone.
    ///
    /// - Throws: ``StorageError`` `.corruption` when the file that names them is damaged.
    func retiredSegments(store: StoreID) throws(StorageError) -> RetiredSegments {
        let copies = try retiredCopies(store: store)
        if copies.isEmpty { return RetiredSegments() }
        guard let retired = copies.compactMap({ $0 }).first else {
            throw .corruption(
                "Both copies of the list of retired segments are damaged.",
                path: path(Self.retiredName)
            )
        }
        return retired
    }
}
