/// What a page has to be before its bytes become a node: nothing that is read through the node later
/// lies outside it, leads back to it, or is larger than the tree allows.
struct PageShape {
    static let headerBytes = 24
    private static let levelLimit = 64

    let pages: TreePages
    let page: PageWord
    let level: Int?
    let keyCount: Int

    /// The numbers at a page's start.
    struct Header {
        let level: Int
        let count: Int
        let prefixCount: Int
        let heapBytes: Int

        var slotsStart: Int { PageShape.headerBytes + (prefixCount + 7) / 8 * 8 }
        var heapStart: Int { slotsStart + 8 * count }
        var heapEnd: Int { heapStart + heapBytes }
        var childBytes: Int { level == 0 ? 0 : 16 }
    }

    /// Checks a page.
    func header(of bytes: BytesView) -> Header? {
        guard keyCount > 0, bytes.count >= Self.headerBytes, bytes[9] == 0,
            bytes.integer(at: 14, as: UInt16.self) == 0,
            bytes.integer(at: 20, as: UInt32.self) == 0
        else { return nil }
        let header = Header(
            level: Int(bytes[8]),
            count: Int(bytes.integer(at: 10, as: UInt16.self)),
            prefixCount: Int(bytes.integer(at: 12, as: UInt16.self)),
            heapBytes: Int(bytes.integer(at: 16, as: UInt32.self))
        )
        guard level.map({ $0 == header.level }) ?? (header.level < Self.levelLimit),
            (1...pages.capacity.entries).contains(header.count),
            header.heapEnd <= bytes.count, bytes.count - header.heapEnd < PageWord.alignment,
            let found = keysFound(in: bytes, header), found == keyCount
        else { return nil }
        return header
    }

    /// Checks every entry, which stand behind each other from the heap's end downwards.
    ///
    /// - Returns: The keys of a leaf, or below an inner node.
    private func keysFound(in bytes: BytesView, _ header: Header) -> Int? {
        var (place, head, found) = (0, UInt32(0), 0)
        for index in 0..<header.count {
            let bits = bytes.integer(at: header.slotsStart + 8 * index, as: UInt64.self)
            let slot = Node.Slot(bits: bits)
            let size = slot.place - place
            guard size > header.childBytes, slot.place <= header.heapBytes,
                // An inner node's first key is not looked at.
                slot.head >= head || index < 2 && header.level > 0,
                let keys = keys(in: bytes, header, at: header.heapEnd - slot.place, size, slot.head)
            else { return nil }
            (place, head, found) = (slot.place, slot.head, found + keys)
        }
        return place == header.heapBytes ? found : nil
    }

    /// Checks one entry.
    private func keys(
        in bytes: BytesView,
        _ header: Header,
        at start: Int,
        _ size: Int,
        _ head: UInt32
    ) -> Int? {
        let entry = start + header.childBytes
        guard let lengths = EntryLengths(in: bytes, at: entry, end: start + size) else {
            return nil
        }
        let key = header.prefixCount + lengths.key
        guard bytes.dropFirst(lengths.keyStart).prefix(lengths.key).head == head,
            key <= pages.longestKey
        else { return nil }
        guard header.level > 0 else {
            guard lengths.end == start + size,
                isPayload(bytes.dropFirst(lengths.keyStart + lengths.key), lengths.payload, key)
            else { return nil }
            return 1
        }
        guard lengths.payload == 0, (lengths.end - start + 7) / 8 * 8 == size,
            let child = PageWord(bits: bytes.integer(at: start)), child.end <= page.offset
        else { return nil }
        let keys = bytes.integer(at: start + 8, as: UInt64.self)
        return (1...UInt64(keyCount)).contains(keys) ? Int(keys) : nil
    }

    private func isPayload(_ bytes: BytesView, _ count: Int, _ keyCount: Int) -> Bool {
        switch pages.payloads {
        case .locations:
            return EntryLocation.isPacked(bytes.prefix(count))
                && (1...StorageLimits.keyBytes).contains(keyCount)
        case .entries:
            return IndexEntry.isPayload(bytes.prefix(count), keyCount: keyCount)
        }
    }
}

/// The lengths at an entry's start, read from a page.
private struct EntryLengths {
    let key: Int
    let payload: Int
    let keyStart: Int

    var end: Int { keyStart + key + payload }

    init?(in bytes: BytesView, at start: Int, end: Int) {
        guard end - start >= 2, bytes[start] < Entry.longKey || end - start >= 4 else { return nil }
        var offset = start + 2
        var key = Int(bytes[start])
        if key == Int(Entry.longKey) {
            key = Int(bytes.integer(at: offset, as: UInt16.self))
            offset += 2
            guard key >= Int(Entry.longKey) else { return nil }
        }
        // Longer payloads stand in no checkpoint.
        guard bytes[start + 1] < Entry.longPayload else { return nil }
        self.key = key
        payload = Int(bytes[start + 1])
        keyStart = offset
        guard self.end <= end else { return nil }
    }
}
