/// A store's directory that is made under another name, so that half of one is never taken for a
/// store: it gets its own name when everything in it is durable.
struct DirectoryInMaking {
    private static let suffix = ".incomplete"
    /// What stands in the lock file meanwhile; a store that was ever opened has a number there.
    private static let mark = Array("incomplete".utf8)

    /// Where it will stand.
    let path: String
    /// Where it is made.
    let directory: StoreDirectory
    private var fileSystem: any FileSystem { directory.fileSystem }

    /// Makes the directory, or takes over one that an interrupted call left behind.
    ///
    /// - Throws: ``StorageError`` `.alreadyExists` where something stands at the path, or at the
    ///   name under which it is made and is not such a leftover; `.notFound` without a parent.
    init(at path: String, _ fileSystem: any FileSystem, doing: String) throws(StorageError) {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        self.path = String(trimmed)
        directory = StoreDirectory(path: self.path + Self.suffix, fileSystem: fileSystem)
        try requireFree(doing)
        do throws(SystemCallError) {
            try fileSystem.createDirectory(directory.path)
        } catch  where error.errno == .exists {
            try requireLeftover(doing)
        } catch  where error.errno == .notFound {
            throw StorageError(
                .notFound,
                "The directory that it should stand in does not exist. Make it first.",
                path: directory.parent
            )
        } catch {
            throw StorageError(error, doing: doing)
        }
    }

    private func requireFree(_ doing: String) throws(StorageError) {
        let isTaken = try describing(doing) { () throws(SystemCallError) in
            try fileSystem.kind(of: path) != nil
        }
        guard isTaken else { return }
        throw StorageError(
            .alreadyExists,
            "Something stands there already. Name a place that is free, or move it away first.",
            path: path
        )
    }

    /// What has an identity may be a store, by whatever name, and is not touched.
    private func requireLeftover(_ doing: String) throws(StorageError) {
        let isLeftover = try describing(doing) { () throws(SystemCallError) in
            guard try fileSystem.kind(of: directory.path) == .directory else { return false }
            let listing = try directory.list()
            if listing.hasIdentity, try !isMarked() { return false }
            return listing.foreign.isEmpty
        }
        guard isLeftover else {
            throw StorageError(
                .alreadyExists,
                "Something stands where the new directory would be made. Move it away first.",
                path: directory.path
            )
        }
    }

    private func isMarked() throws(SystemCallError) -> Bool {
        guard try directory.list().hasLock else { return false }
        let count = Self.mark.count + 1
        return try directory.read(StoreDirectory.lockName, limit: count) == Self.mark
    }

    /// Says, durably, that it may be removed at any time.
    ///
    /// The caller has its lock.
    func markAsIncomplete(_ doing: String) throws(StorageError) {
        try describing(doing) { () throws(SystemCallError) in
            let path = directory.path(StoreDirectory.lockName)
            let file = try fileSystem.open(path, .readWrite)
            defer { file.close() }
            try unsafe file.write(Self.mark.span.bytes, at: 0)
            try file.sync()
        }
    }

    /// Removes all files but the lock.
    func empty(_ doing: String) throws(StorageError) {
        try describing(doing) { () throws(SystemCallError) in
            for name in try fileSystem.list(directory.path) where name != StoreDirectory.lockName {
                try fileSystem.unlink(directory.path(name))
            }
        }
    }

    /// Gives it its name, durably.
    ///
    /// - Throws: ``StorageError``; with `.outcomeUnknown` it may stand under either name after a
    ///   power loss.
    func finish(_ doing: String) throws(StorageError) {
        try describing(doing) { () throws(SystemCallError) in
            try fileSystem.syncDirectory(directory.path)
        }
        // An empty directory would be replaced, and a race lost in silence.
        try requireFree(doing)
        try describing(doing) { () throws(SystemCallError) in
            try fileSystem.rename(directory.path, to: path)
        }
        do throws(SystemCallError) {
            try fileSystem.syncDirectory(directory.parent)
        } catch {
            throw .unknownOutcome(error, doing: doing)
        }
        // No more than a hint from now on.
        let lock = try? fileSystem.open(path + "/" + StoreDirectory.lockName, .readWrite)
        try? lock?.setSize(0)
        lock?.close()
    }

    /// Takes it away again, as far as that works.
    func discard() {
        guard let names = try? fileSystem.list(directory.path) else { return }
        for name in names { try? fileSystem.unlink(directory.path(name)) }
        try? fileSystem.removeDirectory(directory.path)
    }
}
