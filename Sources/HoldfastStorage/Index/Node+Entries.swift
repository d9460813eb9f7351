/// A key of a node in its two parts.
///
/// The views point into the node and hold until it is changed.
struct Key {
    let prefix: BytesView
    let rest: BytesView

    @inline(__always)
    init(prefix: BytesView, rest: BytesView) {
        self.prefix = prefix
        self.rest = rest
    }

    init(_ whole: BytesView) { self.init(prefix: .empty, rest: whole) }

    var count: Int { prefix.count + rest.count }

    var bytes: [UInt8] { prefix.bytes + rest.bytes }

    func prefix(_ kept: Int) -> Key {
        let inPrefix = min(kept, prefix.count)
        return Key(prefix: prefix.prefix(inPrefix), rest: rest.prefix(kept - inPrefix))
    }

    func dropFirst(_ dropped: Int) -> Key {
        let inPrefix = min(dropped, prefix.count)
        return Key(prefix: prefix.dropFirst(inPrefix), rest: rest.dropFirst(dropped - inPrefix))
    }

    @unsafe
    func copy(to target: UnsafeMutableRawPointer) {
        unsafe prefix.copy(to: target)
        unsafe rest.copy(to: target + prefix.count)
    }

    func commonPrefixCount(with other: Key) -> Int {
        let shorter = prefix.count <= other.prefix.count ? self : other
        let longer = prefix.count <= other.prefix.count ? other : self
        let split = shorter.prefix.count
        let first = shorter.prefix.commonPrefixCount(with: longer.prefix)
        guard first == split else { return first }
        let middle = longer.prefix.dropFirst(split)
        let second = shorter.rest.commonPrefixCount(with: middle)
        guard second == middle.count else { return split + second }
        return split + second
            + shorter.rest.dropFirst(second).commonPrefixCount(with: longer.rest)
    }
}

/// An entry as it stands in a node.
///
/// ```
/// key length (1) | payload length (1) | long key length (2)? | long payload length (2)?
///     or large payload (8)? | key | payload
/// ```
///
/// A first byte of 255 says that the long key length is there; a second one of 254 the long payload
/// length, of 255 a ``LargePayload`` in place of the bytes.
@safe struct Entry {
    static let longKey: UInt8 = 255
    static let longPayload: UInt8 = 254
    static let largePayload: UInt8 = 255

    let address: UnsafeMutableRawPointer
    let keyCount: Int
    let keyOffset: Int
    let payloadCount: Int

    @inline(__always)
    init(at address: UnsafeMutableRawPointer) {
        unsafe self.address = unsafe address
        let keyCode = unsafe address.load(as: UInt8.self)
        let payloadCode = unsafe address.load(fromByteOffset: 1, as: UInt8.self)
        var offset = 2
        if keyCode == Self.longKey {
            keyCount = unsafe Int(address.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            offset += 2
        } else {
            keyCount = Int(keyCode)
        }
        switch payloadCode {
        case Self.largePayload:
            payloadCount = 0
            offset += 8
        case Self.longPayload:
            payloadCount = unsafe Int(
                address.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
            )
            offset += 2
        default:
            payloadCount = Int(payloadCode)
        }
        keyOffset = offset
    }

    /// The size of an entry with a key and a payload of such lengths.
    static func bytes(keyCount: Int, payloadCount: Int) -> Int {
        let key = keyCount + (keyCount >= Int(longKey) ? 2 : 0)
        if payloadCount > LargePayload.threshold { return 2 + key + 8 }
        return 2 + key + payloadCount + (payloadCount >= Int(longPayload) ? 2 : 0)
    }

    @inline(__always) var bytes: Int { keyOffset + keyCount + payloadCount }

    /// The size that the entry has with a key of another length.
    func bytes(withKeyCount count: Int) -> Int {
        let lengthBytes = keyCount >= Int(Self.longKey) ? 2 : 0
        let newLengthBytes = count >= Int(Self.longKey) ? 2 : 0
        return bytes - keyCount - lengthBytes + count + newLengthBytes
    }

    @inline(__always)
    var key: BytesView { unsafe BytesView(start: address + keyOffset, count: keyCount) }

    /// The key and the payload, which stand side by side.
    @inline(__always)
    var keyAndPayload: BytesView {
        unsafe BytesView(start: address + keyOffset, count: keyCount + payloadCount)
    }

    @inline(__always)
    var payloadCode: UInt8 { unsafe address.load(fromByteOffset: 1, as: UInt8.self) }

    var largePayload: LargePayload? {
        guard payloadCode == Self.largePayload else { return nil }
        let bits = unsafe address.loadUnaligned(fromByteOffset: keyOffset - 8, as: UInt.self)
        return unsafe UnsafeMutableRawPointer(bitPattern: bits).map {
            unsafe LargePayload(address: $0)
        }
    }

    @inline(__always)
    var payload: BytesView {
        if payloadCode == Self.largePayload, let large = largePayload { return large.view }
        return unsafe BytesView(start: address + keyOffset + keyCount, count: payloadCount)
    }
}

extension Node {
    @inline(__always)
    var slots: UnsafeMutablePointer<Slot> {
        unsafe (base + Self.slotsOffset(behind: prefixCount)).assumingMemoryBound(to: Slot.self)
    }

    /// The child before an inner node's entry.
    @inline(__always)
    func child(_ index: Int) -> UnsafeMutablePointer<Child> {
        unsafe (end - slots[index].place).assumingMemoryBound(to: Child.self)
    }

    @inline(__always)
    func entry(_ index: Int) -> Entry {
        unsafe Entry(at: end - (slots[index].place - childBytes))
    }

    @inline(__always)
    var childBytes: Int { isLeaf ? 0 : MemoryLayout<Child>.stride }

    /// What an entry takes of the heap; a child stays aligned.
    @inline(__always)
    func heapBytes(forEntryOf bytes: Int) -> Int {
        isLeaf ? bytes : (bytes + MemoryLayout<Child>.stride + 7) / 8 * 8
    }

    @inline(__always)
    func key(_ index: Int) -> Key { Key(prefix: prefix, rest: entry(index).key) }

    /// The sum of the keys of an inner node's children, or of a leaf.
    var keyCount: Int {
        isLeaf ? count : keyCount(below: count)
    }

    /// The sum of the keys below an inner node's first children.
    func keyCount(below end: Int) -> Int {
        var sum = 0
        for index in 0..<end { unsafe sum += child(index).pointee.count }
        return sum
    }
}
