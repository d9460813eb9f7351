/// The key of an index's entry in its tree: the index key, then the record's key.
///
/// The tree orders bytes, and has to order entries by index key and then by record key, also where
/// one index key begins with another. So the index key is escaped and ended: a zero is followed by
/// 255, and 0 1 stands behind the last byte. Nothing in an escaped key sorts below that end.
///
/// The payload says how long the escaped key is, and whether there is anything to undo in it.
enum IndexEntry {
    private static let escape: UInt8 = 255
    private static let end: [UInt8] = [0, 1]
    private static let escapedFlag: UInt16 = 1 << 15

    /// An entry's key in the tree; a longer index key than is allowed is cut.
    static func key(_ indexKey: RawSpan, of record: RawSpan) -> [UInt8] {
        let indexKey = BytesView(indexKey)
        let kept = indexKey.prefix(min(indexKey.count, StorageLimits.indexKeyBytes))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(kept.count + end.count + record.byteCount)
        append(kept, to: &bytes)
        unsafe bytes.append(contentsOf: BytesView(record).buffer)
        return bytes
    }

    /// The payload of an entry, from its key in the tree and the record's key behind it.
    static func payload(ofEntry entry: RawSpan, recordBytes: Int) -> [UInt8] {
        let escaped = entry.byteCount - recordBytes
        let view = BytesView(entry).prefix(escaped - end.count)
        let hasEscapes = unsafe view.buffer.contains(0)
        let code = UInt16(escaped) | (hasEscapes ? escapedFlag : 0)
        return [UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8)]
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
        for index in 0..<indexKey.count {
            let byte = indexKey[index]
            bytes.append(byte)
            if byte == 0 { bytes.append(escape) }
        }
        bytes.append(contentsOf: end)
    }

    /// Calls `body` with an entry's two keys; `scratch` is reused for index keys that have to be put
    /// together.
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
            return body(entry.extracting(first: escaped - end.count), record)
        }
        scratch.removeAll(keepingCapacity: true)
        var isEscape = false
        let view = BytesView(entry)
        for index in 0..<(escaped - end.count) {
            let byte = view[index]
            if !isEscape { scratch.append(byte) }
            isEscape = byte == 0 && !isEscape
        }
        return scratch.withRawSpan { body($0, record) }
    }
}
