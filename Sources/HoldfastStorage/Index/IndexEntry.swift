/// The key of an index's entry in its tree: the index key, then the record's key.
///
/// The tree orders bytes, and has to order entries by index key and then by record key, also where
/// one index key begins with another. So the index key is escaped and ended: a zero is followed by
/// 255, and 0 1 stands behind the last byte. Nothing in an escaped key sorts below that end.
///
/// The payload says how long the escaped key is, and whether there is anything to undo in it.
enum IndexEntry {
    private static let escape: UInt8 = 255
    private static let endCount = 2
    private static let escapedFlag: UInt16 = 1 << 15

    /// An entry's key in the tree; a longer index key than is allowed is cut.
    static func key(_ indexKey: RawSpan, of record: RawSpan) -> [UInt8] {
        let indexKey = BytesView(indexKey)
        let kept = indexKey.prefix(min(indexKey.count, StorageLimits.indexKeyBytes))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(kept.count + endCount + record.byteCount)
        append(kept, to: &bytes)
        unsafe bytes.append(contentsOf: BytesView(record).buffer)
        return bytes
    }

    /// Lends an entry's key in the tree and its payload.
    static func withEntry(
        _ indexKey: RawSpan,
        of record: RawSpan,
        _ body: (_ entry: RawSpan, _ payload: RawSpan) throws(StorageError) -> Void
    ) throws(StorageError) {
        let indexKey = BytesView(indexKey)
        let kept = indexKey.prefix(min(indexKey.count, StorageLimits.indexKeyBytes))
        let record = BytesView(record)
        var outcome = Result<Void, StorageError>.success(())
        unsafe withUnsafeTemporaryAllocation(
            byteCount: 2 * kept.count + endCount + record.count,
            alignment: 8
        ) { buffer in
            guard let start = buffer.baseAddress else { return }
            let escaped = unsafe write(kept, at: start)
            unsafe record.copy(to: start + escaped)
            let hasEscapes = escaped > kept.count + endCount
            let code = UInt16(escaped) | (hasEscapes ? escapedFlag : 0)
            let payload: InlineArray<1, UInt16> = [code.littleEndian]
            let count = escaped + record.count
            let entry = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            outcome = Result { () throws(StorageError) in
                try unsafe body(entry.bytes, payload.span.bytes)
            }
        }
        try outcome.get()
    }

    /// Writes an index key, escaped and ended, and returns its length.
    @unsafe
    private static func write(_ indexKey: BytesView, at start: UnsafeMutableRawPointer) -> Int {
        var rest = indexKey
        var count = 0
        while let zero = rest.firstZero {
            unsafe rest.prefix(zero + 1).copy(to: start + count)
            unsafe start.storeBytes(of: escape, toByteOffset: count + zero + 1, as: UInt8.self)
            count += zero + 2
            rest = rest.dropFirst(zero + 1)
        }
        unsafe rest.copy(to: start + count)
        count += rest.count
        unsafe start.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        unsafe start.storeBytes(of: 1, toByteOffset: count + 1, as: UInt8.self)
        return count + endCount
    }

    /// The payload of an entry, from its key in the tree and the record's key behind it.
    static func payload(ofEntry entry: RawSpan, recordBytes: Int) -> [UInt8] {
        let escaped = entry.byteCount - recordBytes
        let view = BytesView(entry).prefix(escaped - endCount)
        let hasEscapes = view.firstZero != nil
        let code = UInt16(escaped) | (hasEscapes ? escapedFlag : 0)
        return [UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8)]
    }

    /// Whether a payload that was read back says what can be true of a key of this length.
    static func isPayload(_ payload: BytesView, keyCount: Int) -> Bool {
        guard payload.count == 2 else { return false }
        let code = payload.integer(at: 0, as: UInt16.self)
        return (endCount...max(endCount, keyCount)).contains(Int(code & ~escapedFlag))
    }

    /// The range of a tree's keys for a range of index keys.
    static func range(_ range: KeyRange) -> KeyRange {
        KeyRange(from: bound(range.lower), upTo: range.upper.map(bound))
    }

    /// The range of a tree's keys for the records of a range under one index key.
    static func range(of indexKey: [UInt8], _ keys: KeyRange) -> KeyRange {
        let base = bound(Array(indexKey.prefix(StorageLimits.indexKeyBytes)))
        let end = KeyRange.successor(ofPrefix: base)
        return KeyRange(from: base + keys.lower, upTo: keys.upper.map { base + $0 } ?? end)
    }

    private static func bound(_ indexKey: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        indexKey.withRawSpan { append(BytesView($0), to: &bytes) }
        return bytes
    }

    private static func append(_ indexKey: BytesView, to bytes: inout [UInt8]) {
        var rest = indexKey
        while let zero = rest.firstZero {
            unsafe bytes.append(contentsOf: rest.prefix(zero + 1).buffer)
            bytes.append(escape)
            rest = rest.dropFirst(zero + 1)
        }
        unsafe bytes.append(contentsOf: rest.buffer)
        bytes.append(0)
        bytes.append(1)
    }

    /// Calls `body` with an entry's two keys; `scratch` is reused for index keys that have to be
    /// put together.
    static func withKeys<Result>(
        _ entry: RawSpan,
        _ payload: RawSpan,
        _ scratch: inout [UInt8],
        _ body: (_ indexKey: RawSpan, _ record: RawSpan) -> Result
    ) -> Result {
        let lengths = BytesView(payload)
        let code = UInt16(lengths[0]) | UInt16(lengths[1]) << 8
        let escaped = Int(code & ~escapedFlag)
        let record = entry.extracting(droppingFirst: escaped)
        guard code & escapedFlag != 0 else {
            return body(entry.extracting(first: escaped - endCount), record)
        }
        scratch.removeAll(keepingCapacity: true)
        var rest = BytesView(entry).prefix(escaped - endCount)
        while let zero = rest.firstZero {
            unsafe scratch.append(contentsOf: rest.prefix(zero + 1).buffer)
            rest = rest.dropFirst(min(zero + 2, rest.count))
        }
        unsafe scratch.append(contentsOf: rest.buffer)
        return scratch.withRawSpan { body($0, record) }
    }
}
