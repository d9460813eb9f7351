public import HoldfastStorage

/// Damage behind every program's back: what cosmic rays, firmware and people do to files.
///
/// Each counts as durable at once. They throw what a call with a wrong path would throw.
extension SimulatedDisk {
    /// A file's bytes as programs see them.
    public func contents(of path: String) throws(SystemCallError) -> [UInt8] {
        try inspect { session throws(SystemCallError) in
            let inode = try session.tree.file(at: path, .read)
            return session.tree.files[inode]?.cache.bytes ?? []
        }
    }

    /// The paths of all files, in order.
    public var paths: [String] {
        (try? inspect { $0.tree.paths(below: DiskTree.root, named: "") }) ?? []
    }

    /// Replaces a file's bytes; a file that is missing is made, its directory must be there.
    public func replace(_ path: String, with bytes: [UInt8]) throws(SystemCallError) {
        try inspect { session throws(SystemCallError) in
            let place = try session.tree.place(of: path, .write)
            let inode: DiskTree.Inode
            if place.inode == nil {
                inode = session.tree.createFile(place)
                session.tree.directories[place.directory]?.sync()
            } else {
                inode = try session.tree.file(at: path, .write)
            }
            session.tree.files[inode] = SimulatedContents(durable: PagedBytes(bytes))
        }
    }

    /// Turns one bit over; bit 0 is the lowest of the first byte.
    public func flipBit(_ bit: Int, of path: String) throws(SystemCallError) {
        var bytes = try contents(of: path)
        guard bytes.indices.contains(bit / 8) else {
            throw DiskCall.Kind.write.error(path, .invalidArgument)
        }
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        try replace(path, with: bytes)
    }

    /// Cuts or extends a file.
    public func truncate(_ path: String, to size: Int) throws(SystemCallError) {
        let bytes = try contents(of: path)
        let rest = [UInt8](repeating: 0, count: max(0, size - bytes.count))
        try replace(path, with: bytes.prefix(size) + rest)
    }

    /// Fills a range with one byte; what lies behind the end is left out.
    public func fill(
        _ range: Range<Int>,
        of path: String,
        with byte: UInt8
    ) throws(SystemCallError) {
        var bytes = try contents(of: path)
        let range = range.clamped(to: bytes.indices)
        bytes.replaceSubrange(range, with: [UInt8](repeating: byte, count: range.count))
        try replace(path, with: bytes)
    }

    /// Removes a file.
    public func remove(_ path: String) throws(SystemCallError) {
        try inspect { session throws(SystemCallError) in
            let place = try session.tree.place(of: path, .unlink)
            try session.tree.unlink(path)
            session.tree.directories[place.directory]?.sync()
            session.tree.forgetUnreachable(open: session.openFiles)
        }
    }

    /// Makes a copy of a file, in the place of one that has the name.
    public func duplicate(_ path: String, as newPath: String) throws(SystemCallError) {
        try replace(newPath, with: contents(of: path))
    }

    /// Lets two files change places.
    public func swap(_ path: String, _ otherPath: String) throws(SystemCallError) {
        let bytes = try contents(of: path)
        try replace(path, with: contents(of: otherPath))
        try replace(otherPath, with: bytes)
    }
}

extension DiskTree {
    fileprivate func paths(below inode: Inode, named path: String) -> [String] {
        guard let directory = directories[inode] else { return [path] }
        return directory.entries.sorted { $0.key < $1.key }.flatMap { name, child in
            paths(below: child, named: path.isEmpty ? name : path + "/" + name)
        }
    }
}
