/// A file's bytes in pages that copies share until they are written: a copy costs one reference a
/// page, a hole costs nothing.
struct PagedBytes: Sendable {
    static let pageSize = 4_096
    static let sectorSize = 512
    /// One page for every reserved page that was never written.
    private static let zeroPage = [UInt8](repeating: 0, count: pageSize)

    /// The size in bytes.
    private(set) var count = 0
    /// The pages that take space: written or reserved ones.
    private(set) var allocatedPages = 0
    /// An empty array is a hole, and so is everything behind the last page.
    private var pages: [[UInt8]] = []

    init() {}

    init(_ bytes: [UInt8]) { write(bytes[...], at: 0) }

    /// All of it.
    var bytes: [UInt8] { read(0..<count) }

    /// The bytes of a range, with zeros behind the end.
    func read(_ range: Range<Int>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        unsafe bytes.withUnsafeMutableBytes { buffer in
            _ = unsafe read(into: buffer, at: range.lowerBound)
        }
        return bytes
    }

    /// Copies what there is from `offset` on.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let total = max(0, min(buffer.count, count - offset))
        var done = 0
        while done < total {
            let (page, start) = (offset + done).quotientAndRemainder(dividingBy: Self.pageSize)
            let length = min(Self.pageSize - start, total - done)
            let target = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer[done..<done + length]
            )
            if page < pages.count, !pages[page].isEmpty {
                unsafe target.copyBytes(from: pages[page][start..<start + length])
            } else {
                unsafe _ = target.initializeMemory(as: UInt8.self, repeating: 0)
            }
            done += length
        }
        return total
    }

    /// Writes bytes, with zeros between the end and `offset`.
    mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int) {
        guard !bytes.isEmpty else { return }
        extendPages(to: offset + bytes.count)
        var done = 0
        while done < bytes.count {
            let (page, start) = (offset + done).quotientAndRemainder(dividingBy: Self.pageSize)
            let length = min(Self.pageSize - start, bytes.count - done)
            fillHole(page)
            let first = bytes.startIndex + done
            unsafe pages[page].withUnsafeMutableBytes { buffer in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + length])
                    .copyBytes(from: bytes[first..<first + length])
            }
            done += length
        }
        count = max(count, offset + bytes.count)
    }

    /// Cuts or extends; what comes with an extension reads as zero.
    mutating func resize(to size: Int) {
        if size < count { cut(at: size) }
        count = size
    }

    /// Gives every page below `size` space and extends to it.
    mutating func allocate(upTo size: Int) {
        extendPages(to: size)
        for page in 0..<Self.pageCount(size) { fillHole(page) }
        count = max(count, size)
    }

    /// The pages that `range` needs and that have no space yet.
    func missingPages(in range: Range<Int>) -> Int {
        guard !range.isEmpty else { return 0 }
        let needed = range.lowerBound / Self.pageSize..<Self.pageCount(range.upperBound)
        return needed.count { $0 >= pages.count || pages[$0].isEmpty }
    }

    static func pageCount(_ size: Int) -> Int { (size + pageSize - 1) / pageSize }

    private mutating func cut(at size: Int) {
        let kept = min(Self.pageCount(size), pages.count)
        allocatedPages -= pages[kept...].count { !$0.isEmpty }
        pages.removeSubrange(kept...)
        let start = size % Self.pageSize
        let last = size / Self.pageSize
        if start > 0, last < kept, !pages[last].isEmpty {
            let rest = start..<Self.pageSize
            pages[last].replaceSubrange(rest, with: Self.zeroPage[rest])
        }
    }

    private mutating func extendPages(to size: Int) {
        let missing = Self.pageCount(size) - pages.count
        if missing > 0 { pages.append(contentsOf: repeatElement([], count: missing)) }
    }

    private mutating func fillHole(_ page: Int) {
        guard pages[page].isEmpty else { return }
        pages[page] = Self.zeroPage
        allocatedPages += 1
    }
}
