import Synchronization

/// The open files of a store's segments, for reading: at most a few at a time, since an app has few
/// descriptors and a store may have many segments.
final class SegmentFiles: ValueSource {
    private static let limit = 24
    private static let tableLimit: UInt32 = 1 << 20

    private struct State {
        /// The open files by segment, since a lookup stands on the path of every read.
        var files: [(any File)?] = []
        /// The open segments, in the order in which they were opened.
        var order: [UInt32] = []

        func file(_ segment: UInt32) -> (any File)? {
            segment < files.count ? files[Int(segment)] : nil
        }

        mutating func add(_ file: any File, _ segment: UInt32) {
            // A name may claim any number; a table of that length is not made for it.
            guard segment < SegmentFiles.tableLimit else { return }
            if order.count >= SegmentFiles.limit { files[Int(order.removeFirst())] = nil }
            if segment >= files.count {
                files += repeatElement(nil, count: Int(segment) + 1 - files.count)
            }
            files[Int(segment)] = file
            order.append(segment)
        }
    }

    let directory: StoreDirectory
    let cache: ValueCache?
    private let state = Mutex(State())

    /// The files of a store, with a cache of at most so many bytes in front of them.
    init(_ directory: StoreDirectory, cacheBytes: Int) {
        self.directory = directory
        cache = ValueCache(bytes: cacheBytes)
    }

    /// The open file of a segment.
    ///
    /// It stays usable for the caller even when it leaves the table.
    func file(_ segment: UInt32) throws(StorageError) -> any File {
        if let file = state.withLock({ $0.file(segment) }) { return file }
        let file = try describing("Reading the journal") { () throws(SystemCallError) in
            try directory.fileSystem.open(directory.segmentPath(segment), .read)
        }
        return state.withLock { state in
            if let other = state.file(segment) { return other }
            state.add(file, segment)
            return file
        }
    }

    /// Forgets a segment's file, since another file has taken its name.
    func forget(_ segment: UInt32) {
        close(segment)
        cache?.forget(from: segment)
    }

    /// Lets a segment's file go, so that a name that is removed frees its space.
    func close(_ segment: UInt32) {
        state.withLock { state in
            guard state.file(segment) != nil else { return }
            state.files[Int(segment)] = nil
            state.order.removeAll { $0 == segment }
        }
    }

    /// Forgets every file, since another process may have put others in their places.
    func forgetAll() {
        state.withLock { $0 = State() }
        cache?.forget(from: 0)
    }

    /// Forgets what may have been read of a group that failed: others will stand in its place.
    func forgetFailed(from segment: UInt32) { cache?.forget(from: segment) }

    static var readsAhead: Bool { true }

    func read(_ batch: inout ValueBatch) { batch.read(self) { _ in true } }

    func withValue<Result>(
        at payload: RawSpan,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result {
        let location = EntryLocation(payload)
        let length = Int(location.length)
        // The cache's memory is another reader's to change as soon as its lock is free.
        let cached = unsafe withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) {
            buffer -> Result? in
            guard let count = unsafe cache?.copyValue(at: location, to: buffer) else { return nil }
            let value = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            return body(unsafe value.bytes)
        }
        if let cached { return cached }
        return try withEntry(at: location, for: key, body)
    }

    func value(at payload: RawSpan, for key: RawSpan) throws(StorageError) -> [UInt8] {
        let location = EntryLocation(payload)
        if let value = cache?.value(at: location) { return value }
        return try withEntry(at: location, for: key) { [UInt8]($0) }
    }

    /// Reads the entry at a location, verifies it and lends its value.
    ///
    /// - Throws: ``StorageError`` `.corruption` when what stands there is not the entry that was
    ///   written for this key, `.inputOutput` when it cannot be read.
    private func withEntry<Result>(
        at location: EntryLocation,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result {
        let epoch = cache?.epoch
        let file = try file(location.segment)
        var outcome = Swift.Result<Result, StorageError>.failure(
            Self.damaged(file, UInt64(location.offset))
        )
        let length = Int(location.length)
        unsafe withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) { buffer in
            do throws(SystemCallError) {
                let count = try unsafe file.read(into: buffer, at: UInt64(location.offset))
                guard count == length else { return }
                let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffer))
                let range = FrameEntry.valueRange(in: bytes, for: key, number: location.number)
                guard let range else { return }
                let value = bytes.extracting(range)
                if let cache, let epoch { cache.offer(value, at: location, epoch: epoch) }
                outcome = .success(body(value))
            } catch {
                outcome = .failure(StorageError(error, doing: "Reading a value"))
            }
        }
        return try outcome.get()
    }

    static func damaged(_ file: any File, _ offset: UInt64) -> StorageError {
        .corruption("A value is damaged: it fails its check.", path: file.path, offset: offset)
    }
}

extension SegmentFiles {
    /// How far a segment's file is filled.
    enum Content {
        /// All zero.
        case nothing
        /// Zero behind the place of the header.
        case header
        case frames
    }

    /// Looks at what a segment's file holds, as far as `limit`.
    func content(of segment: UInt32, upTo limit: Int = .max) throws(StorageError) -> Content {
        let file = try file(segment)
        var content = Content.nothing
        var offset = 0
        while true {
            let (count, position) = (offset == 0 ? DoubledRecord.byteCount : 1 << 20, offset)
            let bytes = try describing("Reading the journal") { () throws(SystemCallError) in
                try file.read(count: count, at: UInt64(position))
            }
            if bytes.isEmpty || offset >= limit { return content }
            if unsafe !bytes.span.bytes.isZero {
                guard offset == 0 else { return .frames }
                content = .header
            }
            offset += bytes.count
        }
    }
}

extension FrameEntry {
    /// Where the value stands in an entry that fills `bytes`, if it is intact and the key's own.
    static func valueRange(
        in bytes: RawSpan,
        for key: RawSpan,
        number: SequenceNumber
    ) -> Range<Int>? {
        guard let entry = FrameEntry(bytes, at: 0), let value = entry.value,
            entry.bytes.upperBound == bytes.byteCount,
            entry.isIntact(in: bytes, number: number),
            bytes.extracting(entry.key).isEqual(to: key)
        else { return nil }
        return value
    }

    static func value(in bytes: RawSpan, for key: RawSpan, number: SequenceNumber) -> [UInt8]? {
        valueRange(in: bytes, for: key, number: number).map { [UInt8](bytes.extracting($0)) }
    }
}
