extension Node {
    /// The node that a page holds, or `nil` where the page is not one.
    init?(page: BytesView, _ shape: PageShape) {
        guard let header = shape.header(of: page) else { return nil }
        let prefix = page.dropFirst(PageShape.headerBytes).prefix(header.prefixCount)
        self.init(
            level: header.level,
            prefix: Key(prefix),
            prefixCount: header.prefixCount,
            room: 8 * header.count + header.heapBytes
        )
        unsafe page.dropFirst(header.slotsStart).prefix(8 * header.count)
            .copy(to: UnsafeMutableRawPointer(slots))
        unsafe page.dropFirst(header.heapStart).prefix(header.heapBytes)
            .copy(to: end - header.heapBytes)
        unsafe self.header.pointee.count = UInt16(header.count)
        unsafe self.header.pointee.heapBytes = UInt32(header.heapBytes)
    }

    /// Whether the node can stand in a page.
    var fitsPage: Bool { unsafe !header.pointee.holdsLargePayloads }

    /// The entries' bytes, without what is garbage between them.
    var packedHeapBytes: Int {
        (0..<count).reduce(0) { $0 + heapBytes(forEntryOf: entry($1).bytes) }
    }

    /// Appends the node as a page, all but its check; an inner node with its children's words.
    func appendPage(to buffer: inout ByteBuffer, children words: [PageWord]) {
        let heap = packedHeapBytes
        let shape = PageShape.Header(
            level: level,
            count: count,
            prefixCount: prefixCount,
            heapBytes: heap
        )
        let length = (shape.heapEnd + PageWord.alignment - 1) / PageWord.alignment
        unsafe buffer.appendZeros(length * PageWord.alignment) { target in
            unsafe write(shape, to: target)
            unsafe writeEntries(shape, words, to: target)
        }
    }

    @unsafe
    private func write(_ shape: PageShape.Header, to target: UnsafeMutableRawPointer) {
        unsafe target.storeBytes(of: UInt8(shape.level), toByteOffset: 8, as: UInt8.self)
        let count = UInt16(shape.count).littleEndian
        unsafe target.storeBytes(of: count, toByteOffset: 10, as: UInt16.self)
        let prefixCount = UInt16(shape.prefixCount).littleEndian
        unsafe target.storeBytes(of: prefixCount, toByteOffset: 12, as: UInt16.self)
        let heapBytes = UInt32(shape.heapBytes).littleEndian
        unsafe target.storeBytes(of: heapBytes, toByteOffset: 16, as: UInt32.self)
        unsafe prefix.copy(to: target + PageShape.headerBytes)
    }

    @unsafe
    private func writeEntries(
        _ shape: PageShape.Header,
        _ words: [PageWord],
        to target: UnsafeMutableRawPointer
    ) {
        var place = 0
        for index in 0..<count {
            let entry = entry(index)
            place += heapBytes(forEntryOf: entry.bytes)
            let slot = unsafe Slot(head: slots[index].head, place: place)
            unsafe target.storeBytes(
                of: slot.bits.littleEndian,
                toByteOffset: shape.slotsStart + 8 * index,
                as: UInt64.self
            )
            let start = unsafe target + (shape.heapEnd - place)
            if !isLeaf {
                let keys = unsafe UInt64(child(index).pointee.count)
                unsafe start.storeBytes(of: words[index].bits.littleEndian, as: UInt64.self)
                unsafe start.storeBytes(of: keys.littleEndian, toByteOffset: 8, as: UInt64.self)
            }
            unsafe (start + childBytes).copyMemory(from: entry.address, byteCount: entry.bytes)
        }
    }
}
