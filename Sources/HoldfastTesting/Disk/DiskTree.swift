import HoldfastStorage

/// The files and directories of a simulated disk; a copy shares everything until it is changed.
struct DiskTree: Sendable {
    typealias Inode = Int
    static let root: Inode = 1

    var files: [Inode: SimulatedContents] = [:]
    var directories: [Inode: SimulatedDirectory] = [root: SimulatedDirectory()]
    private var lastInode = root

    /// A place in the tree: the directory that holds the name, and what stands there.
    struct Place {
        let directory: Inode
        let name: String
        let inode: Inode?
    }

    /// Finds a path's last part, which need not exist; everything before it must.
    func place(of path: String, _ call: DiskCall.Kind) throws(SystemCallError) -> Place {
        var place = Place(directory: Self.root, name: "", inode: Self.root)
        for bytes in path.utf8.split(separator: UInt8(ascii: "/")) {
            let name = String(Substring(bytes))
            if name == "." { continue }
            guard let inode = place.inode else { throw call.error(path, .notFound) }
            guard let directory = directories[inode] else {
                throw call.error(path, .notADirectory)
            }
            place = Place(directory: inode, name: name, inode: directory.entries[name])
        }
        return place
    }

    /// The file at a path.
    func file(at path: String, _ call: DiskCall.Kind) throws(SystemCallError) -> Inode {
        let place = try place(of: path, call)
        guard let inode = place.inode else { throw call.error(path, .notFound) }
        guard files[inode] != nil else { throw call.error(path, .isADirectory) }
        return inode
    }

    /// The directory at a path.
    func directory(at path: String, _ call: DiskCall.Kind) throws(SystemCallError) -> Inode {
        let place = try place(of: path, call)
        guard let inode = place.inode else { throw call.error(path, .notFound) }
        guard directories[inode] != nil else { throw call.error(path, .notADirectory) }
        return inode
    }

    mutating func createFile(_ place: Place) -> Inode {
        let inode = newInode()
        files[inode] = SimulatedContents()
        directories[place.directory]?.link(place.name, inode)
        return inode
    }

    mutating func createDirectory(_ path: String) throws(SystemCallError) {
        let place = try place(of: path, .createDirectory)
        guard place.inode == nil else { throw DiskCall.Kind.createDirectory.error(path, .exists) }
        let inode = newInode()
        directories[inode] = SimulatedDirectory()
        directories[place.directory]?.link(place.name, inode)
    }

    mutating func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        let old = try place(of: path, .rename)
        let new = try place(of: newPath, .rename)
        guard let inode = old.inode else { throw DiskCall.Kind.rename.error(path, .notFound) }
        guard old.directory == new.directory else {
            throw DiskCall.Kind.rename.error(path, .crossesDevices)
        }
        guard inode != new.inode else { return }
        if let replaced = new.inode, directories[replaced] != nil {
            throw DiskCall.Kind.rename.error(path, .isADirectory)
        }
        directories[old.directory]?.rename(old.name, to: new.name, inode)
    }

    /// Gives a file one more name.
    mutating func link(_ path: String, to newPath: String) throws(SystemCallError) {
        let inode = try file(at: path, .link)
        let new = try place(of: newPath, .link)
        guard new.inode == nil else { throw DiskCall.Kind.link.error(path, .exists) }
        directories[new.directory]?.link(new.name, inode)
    }

    mutating func removeDirectory(_ path: String) throws(SystemCallError) {
        let inode = try directory(at: path, .removeDirectory)
        let place = try place(of: path, .removeDirectory)
        guard directories[inode]?.entries.isEmpty == true, inode != Self.root else {
            throw DiskCall.Kind.removeDirectory.error(path, .notEmpty)
        }
        directories[place.directory]?.unlink(place.name, inode)
    }

    mutating func unlink(_ path: String) throws(SystemCallError) {
        let inode = try file(at: path, .unlink)
        let place = try place(of: path, .unlink)
        directories[place.directory]?.unlink(place.name, inode)
    }

    /// Forgets a file that no open file and no outcome of a crash can reach.
    mutating func forget(_ inode: Inode, ifNotIn open: [Int: DiskSession.OpenFile]) {
        for (_, file) in open where file.inode == inode { return }
        for (_, directory) in directories where directory.canReach(inode) { return }
        files[inode] = nil
    }

    /// Forgets every such file.
    mutating func forgetUnreachable(open: [Int: DiskSession.OpenFile] = [:]) {
        for inode in Array(files.keys) { forget(inode, ifNotIn: open) }
    }

    /// The space that files take, in bytes: those with a name, and those that are open.
    func usedBytes(open: Set<Inode>) -> Int {
        let named = Set(directories.values.lazy.flatMap(\.entries.values)).union(open)
        return named.reduce(0) { sum, inode in
            sum + (files[inode]?.cache.allocatedPages ?? 0) * PagedBytes.pageSize
        }
    }

    mutating func newInode() -> Inode {
        lastInode += 1
        return lastInode
    }
}
