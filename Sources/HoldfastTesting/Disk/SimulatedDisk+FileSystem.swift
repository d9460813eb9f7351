public import HoldfastStorage

extension SimulatedDisk {
    /// Opens a file.
    public func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> any File {
        let creates = try inspect { session throws(SystemCallError) in
            let exists = (try? session.tree.place(of: path, .open))?.inode != nil
            return !exists && (access == .createNew || access == .createIfMissing)
        }
        let call = DiskCall(.open, path, isMutating: creates)
        let handle = try perform(call) { session, _ throws(SystemCallError) in
            let inode = try session.tree.open(path, access)
            return session.openFile(inode, isWritable: access != .read)
        }
        return SimulatedFile(disk: self, path: path, handle: handle)
    }

    /// Creates a directory.
    public func createDirectory(_ path: String) throws(SystemCallError) {
        try perform(DiskCall(.createDirectory, path)) { session, _ throws(SystemCallError) in
            try session.tree.createDirectory(path)
        }
    }

    /// The names in a directory, in order.
    public func list(_ path: String) throws(SystemCallError) -> [String] {
        try perform(DiskCall(.list, path)) { session, _ throws(SystemCallError) in
            let inode = try session.tree.directory(at: path, .list)
            return session.tree.directories[inode]?.entries.keys.sorted() ?? []
        }
    }

    /// What stands at a path.
    public func kind(of path: String) throws(SystemCallError) -> FileKind? {
        try perform(DiskCall(.kind, path)) { session, _ throws(SystemCallError) in
            do throws(SystemCallError) {
                let inode = try session.tree.place(of: path, .kind).inode
                return inode.map { session.tree.files[$0] == nil ? .directory : .file }
            } catch  where error.errno == .notFound {
                return nil
            }
        }
    }

    /// Renames a file; a rename into another directory is refused with `EXDEV`.
    public func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        try perform(DiskCall(.rename, path)) { session, _ throws(SystemCallError) in
            try session.tree.rename(path, to: newPath)
            session.tree.forgetUnreachable(open: session.openFiles)
        }
    }

    /// Gives a file one more name, in any directory.
    public func link(_ path: String, to newPath: String) throws(SystemCallError) {
        try perform(DiskCall(.link, path)) { session, _ throws(SystemCallError) in
            try session.tree.link(path, to: newPath)
        }
    }

    /// Removes an empty directory.
    public func removeDirectory(_ path: String) throws(SystemCallError) {
        try perform(DiskCall(.removeDirectory, path)) { session, _ throws(SystemCallError) in
            try session.tree.removeDirectory(path)
            session.tree.forgetUnreachable(open: session.openFiles)
        }
    }

    /// Removes a file's name.
    public func unlink(_ path: String) throws(SystemCallError) {
        try perform(DiskCall(.unlink, path)) { session, _ throws(SystemCallError) in
            try session.tree.unlink(path)
            session.tree.forgetUnreachable(open: session.openFiles)
        }
    }

    /// Makes a directory's entries durable.
    public func syncDirectory(_ path: String) throws(SystemCallError) {
        try perform(DiskCall(.syncDirectory, path)) { session, _ throws(SystemCallError) in
            let inode = try session.tree.directory(at: path, .syncDirectory)
            session.tree.directories[inode]?.sync()
            session.tree.forgetUnreachable(open: session.openFiles)
        }
    }
}

extension DiskTree {
    fileprivate mutating func open(
        _ path: String,
        _ access: FileAccess
    ) throws(SystemCallError) -> Inode {
        let place = try place(of: path, .open)
        switch (place.inode, access) {
        case (nil, .read), (nil, .readWrite):
            throw DiskCall.Kind.open.error(path, .notFound)
        case (nil, .createNew), (nil, .createIfMissing):
            return createFile(place)
        case (.some, .createNew):
            throw DiskCall.Kind.open.error(path, .exists)
        case (.some(let inode), _):
            guard files[inode] != nil else {
                throw DiskCall.Kind.open.error(path, .isADirectory)
            }
            return inode
        }
    }
}
