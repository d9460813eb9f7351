import HoldfastStorage

/// A simulated disk in use: its tree, its open files, and what tests asked of it.
struct DiskSession: Sendable {
    typealias Inode = DiskTree.Inode

    struct OpenFile: Sendable {
        let inode: Inode
        let isWritable: Bool
        var lock: FileLock?
    }

    var tree: DiskTree
    var capacity: Int?
    var openFiles: [Int: OpenFile] = [:]
    var faults: [DiskFault] = []
    var counters = DiskCounters()
    var recording: DiskRecording?
    /// The one moment that an image is taken of: before the call that is this many mutations in.
    var wantedImage: Int?
    var takenImage: DiskImage?
    private var lastHandle = 0

    init(tree: DiskTree, capacity: Int?) {
        self.tree = tree
        self.capacity = capacity
    }

    var openInodes: Set<Inode> { Set(openFiles.values.lazy.map(\.inode)) }

    var usedBytes: Int { tree.usedBytes(open: openInodes) }

    func image(before call: DiskCall?) -> DiskImage {
        DiskImage(mutations: counters.mutations, nextCall: call, tree: tree, capacity: capacity)
    }

    /// Counts and records a call.
    ///
    /// - Returns: What a fault makes of it.
    mutating func begin(_ call: DiskCall) -> DiskFault.Effect? {
        if recording?.takesImages == true, call.isMutating {
            let image = image(before: call)
            recording?.images.append(image)
        }
        if call.isMutating, counters.mutations == wantedImage { takenImage = image(before: call) }
        recording?.calls.append(call)
        counters.count(call)
        for index in faults.indices where faults[index].meets(call) {
            let effect = faults[index].effect
            faults.removeAll { $0.isSpent }
            counters.faults += 1
            return effect
        }
        return nil
    }

    mutating func openFile(_ inode: Inode, isWritable: Bool) -> Int {
        lastHandle += 1
        openFiles[lastHandle] = OpenFile(inode: inode, isWritable: isWritable)
        return lastHandle
    }

    mutating func closeFile(_ handle: Int) {
        guard let file = openFiles.removeValue(forKey: handle) else { return }
        tree.forget(file.inode, ifNotIn: openFiles)
    }

    /// - Returns: Whether the lock was free enough.
    mutating func tryLock(_ handle: Int, _ kind: FileLock) -> Bool {
        let inode = openFiles[handle]?.inode
        let others = openFiles.filter { $0.key != handle && $0.value.inode == inode }
        let excludes = others.values.contains { other in
            other.lock == .exclusive || (other.lock == .shared && kind == .exclusive)
        }
        if excludes { return false }
        openFiles[handle]?.lock = kind
        return true
    }

    /// How many of `count` bytes at `offset` have space.
    func room(for count: Int, at offset: Int, in inode: Inode) -> Int {
        guard let capacity, let cache = tree.files[inode]?.cache else { return count }
        let free = max(0, capacity - usedBytes) / PagedBytes.pageSize
        guard cache.missingPages(in: offset..<offset + count) > free else { return count }
        // Up to the end of the last page that still gets space.
        var end = offset
        var left = free
        while end < offset + count {
            let page = end / PagedBytes.pageSize
            let next = (page + 1) * PagedBytes.pageSize
            left -= cache.missingPages(in: end..<next)
            if left < 0 { break }
            end = next
        }
        return min(count, end - offset)
    }
}
