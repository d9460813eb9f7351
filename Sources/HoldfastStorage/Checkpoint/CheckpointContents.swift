/// What a checkpoint says beside its pages: the segments that it is a state of, and its trees.
package struct CheckpointContents: Hashable, Sendable {
    /// One tree: that of the records, which has no name, or an index.
    struct Tree: Hashable {
        var name: String
        /// The version of an index's definition.
        var version: UInt32
        /// The number of keys.
        var count: Int
        var longestKey: Int
        /// The page of its root; `nil` when it is empty.
        var root: PageWord?
    }

    /// The segments on the disk, in order, the one that the position is in among them.
    package var segments: [SegmentSummary] = []
    /// The segments that are not needed any more, in order.
    package var retired: [RetiredRange] = []
    /// The records' tree, then the indexes.
    var trees: [Tree] = []

    package init() {}
}

extension CheckpointContents {
    func bytes() -> [UInt8] {
        var buffer = ByteBuffer(capacity: 4_096)
        buffer.append(UInt32(segments.count))
        buffer.append(UInt32(retired.count))
        buffer.append(UInt32(trees.count))
        buffer.append(UInt32(0))
        for segment in segments { segment.append(to: &buffer) }
        for range in retired { range.append(to: &buffer) }
        for tree in trees { tree.append(to: &buffer) }
        var bytes: [UInt8] = []
        buffer.copy(to: &bytes)
        return bytes
    }

    init?(_ bytes: [UInt8]) {
        var reader = RecordReader(bytes)
        guard let segmentCount: UInt32 = reader.next(), let retiredCount: UInt32 = reader.next(),
            let treeCount: UInt32 = reader.next(), let reserved: UInt32 = reader.next(),
            reserved == 0
        else { return nil }
        // Each step reads some bytes or ends: no count makes it long.
        for _ in 0..<segmentCount {
            guard let segment = SegmentSummary(&reader),
                segments.last.map({ $0.number < segment.number }) ?? true
            else { return nil }
            segments.append(segment)
        }
        for _ in 0..<retiredCount {
            guard let range = RetiredRange(&reader),
                retired.last.map({ $0.segments.upperBound < range.segments.lowerBound }) ?? true
            else { return nil }
            retired.append(range)
        }
        for _ in 0..<treeCount {
            guard let tree = Tree(&reader), tree.name.isEmpty == trees.isEmpty else { return nil }
            trees.append(tree)
        }
        guard reader.isAtEnd, !trees.isEmpty else { return nil }
    }
}

extension CheckpointContents.Tree {
    fileprivate func append(to buffer: inout ByteBuffer) {
        let name = Array(name.utf8)
        buffer.append(UInt32(name.count))
        buffer.append(version)
        buffer.append(UInt64(count))
        buffer.append(UInt64(longestKey))
        buffer.append(root?.bits ?? 0)
        name.withRawSpan { buffer.append($0) }
        buffer.align()
    }

    fileprivate init?(_ reader: inout RecordReader) {
        guard let nameLength: UInt32 = reader.next(), let version: UInt32 = reader.next(),
            let count: UInt64 = reader.next(), count < 1 << 48,
            let longestKey: UInt64 = reader.next(), longestKey <= UInt64(BTree.keyBytes),
            let root: UInt64 = reader.next(), (root == 0) == (count == 0),
            let name = reader.next(count: nameLength),
            let text = String(validating: name, as: UTF8.self)
        else { return nil }
        let page = PageWord(bits: root)
        guard root == 0 || page != nil else { return nil }
        self.init(
            name: text,
            version: version,
            count: Int(count),
            longestKey: Int(longestKey),
            root: page
        )
    }
}
