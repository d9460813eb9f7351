/// The `checkpoint` file of a store's directory.
package struct CheckpointFile: Sendable {
    /// What stands under the name.
    package enum Found: Sendable {
        case nothing
        /// A checkpoint that cannot be used, and the commit that it was of if its header tells:
        /// that was durable all the same.
        case damaged(SequenceNumber?)
        case checkpoint(Checkpoint)
    }

    private static let doing = "Writing a checkpoint"
    let directory: StoreDirectory

    init(_ directory: StoreDirectory) { self.directory = directory }

    /// The checkpoint of the store in a directory.
    package init(at path: String, fileSystem: any FileSystem) {
        self.init(StoreDirectory(path: path, fileSystem: fileSystem))
    }

    /// Whether this machine's numbers stand in memory as they do in pages.
    static var isUsable: Bool { 1.littleEndian == 1 && MemoryLayout<Int>.size == 8 }

    /// Reads the checkpoint, all but its pages.
    ///
    /// - Throws: ``StorageError`` `.unsupportedVersion`, `.protectedDataUnavailable`.
    package func read(
        of store: StoreID,
        capacity: NodeCapacity = .standard
    ) throws(StorageError) -> Found {
        let path = directory.path(StoreDirectory.checkpointName)
        let file: any File
        let bytes: [UInt8]
        do throws(SystemCallError) {
            file = try directory.fileSystem.open(path, .read)
            bytes = try file.read(count: DoubledRecord.stride, at: 0)
        } catch  where error.errno == .notFound {
            return .nothing
        } catch  where error.isRefusal {
            throw StorageError(error, doing: "Opening the store")
        } catch {
            return .damaged(nil)
        }
        let header = try unsafe CheckpointHeader.parse(bytes.span.bytes, path: path)
        guard let header, header.store == store else { return .damaged(nil) }
        guard Self.isUsable, let contents = try? contents(header, of: file) else {
            return .damaged(header.position.number)
        }
        return .checkpoint(Checkpoint(header, contents, file, capacity: capacity))
    }

    private func contents(
        _ header: CheckpointHeader,
        of file: any File
    ) throws(SystemCallError) -> CheckpointContents? {
        guard header.contentsOffset + header.contentsLength <= (try file.size()) else { return nil }
        let bytes = try file.read(count: Int(header.contentsLength), at: header.contentsOffset)
        let check = bytes.withRawSpan { CheckpointHeader.check(of: $0, salt: header.salt) }
        guard check == header.contentsCheck, let contents = CheckpointContents(bytes),
            contents.segments.last?.number == header.position.segment
        else { return nil }
        return contents
    }

    /// Whether a file stands under the name.
    func exists() throws(StorageError) -> Bool {
        try describing("Looking for the checkpoint") { () throws(SystemCallError) in
            let path = directory.path(StoreDirectory.checkpointName)
            return try directory.fileSystem.kind(of: path) != nil
        }
    }

    /// Removes the checkpoint, durably, if there is one.
    func remove() throws(StorageError) {
        guard try exists() else { return }
        try describing("Removing the checkpoint") { () throws(SystemCallError) in
            try directory.remove(StoreDirectory.checkpointName)
        }
    }

    /// Writes a checkpoint in place of the one that stands there.
    ///
    /// A mebibyte at a time: each is synced before the next, so that a commit never waits for more,
    /// and other tasks run in between.
    ///
    /// - Returns: Its size in bytes.
    /// - Throws: ``StorageError``; the old one stands. With `.outcomeUnknown` either may stand after
    ///   a power loss.
    @concurrent
    @discardableResult
    package func write(
        _ image: CheckpointImage,
        salt: UInt64
    ) async throws(StorageError) -> UInt64 {
        let temporary = directory.path(StoreDirectory.checkpointName + ".tmp")
        let fileSystem = directory.fileSystem
        let file = try describing(Self.doing) { () throws(SystemCallError) in
            if try fileSystem.kind(of: temporary) != nil { try fileSystem.unlink(temporary) }
            return try fileSystem.open(temporary, .createNew)
        }
        defer { file.close() }
        let size: UInt64
        do throws(StorageError) {
            size = try await writeContent(of: image, salt: salt, to: file)
            try describing(Self.doing) { () throws(SystemCallError) in
                try file.sync()
                try fileSystem.rename(
                    temporary,
                    to: directory.path(StoreDirectory.checkpointName)
                )
            }
        } catch {
            // Half a file is of no use, and the disk may be full of it.
            try? fileSystem.unlink(temporary)
            throw error
        }
        do throws(SystemCallError) {
            try fileSystem.syncDirectory(directory.path)
        } catch {
            throw .unknownOutcome(error, doing: Self.doing)
        }
        return size
    }

    private func writeContent(
        of image: CheckpointImage,
        salt: UInt64,
        to file: any File
    ) async throws(StorageError) -> UInt64 {
        guard Self.isUsable else { throw .noCheckpointHere }
        var contents = CheckpointContents()
        contents.segments = image.segments
        contents.retired = image.retired
        var output = PageOutput(salt: salt, start: CheckpointHeader.pagesStart)
        for tree in image.trees {
            var walk = try PageWalk(tree.tree)
            while try !walk.run(&output) {
                try flush(&output, to: file)
                await Task.yield()
            }
            contents.trees.append(tree.summary(root: walk.root))
        }
        try flush(&output, to: file)
        let bytes = contents.bytes()
        let header = CheckpointHeader(
            store: image.store,
            salt: salt,
            position: image.position,
            frame: image.frame,
            contentsOffset: output.end,
            contentsLength: UInt64(bytes.count),
            contentsCheck: bytes.withRawSpan { CheckpointHeader.check(of: $0, salt: salt) }
        )
        try describing(Self.doing) { () throws(SystemCallError) in
            try unsafe file.write(bytes.span.bytes, at: header.contentsOffset)
            try unsafe file.write(header.bytes().span.bytes, at: 0)
        }
        return header.contentsOffset + header.contentsLength
    }

    private func flush(_ output: inout PageOutput, to file: any File) throws(StorageError) {
        do throws(SystemCallError) {
            try output.flush(to: file)
        } catch {
            throw StorageError(error, doing: Self.doing)
        }
    }
}

extension CheckpointImage {
    fileprivate struct NamedTree {
        var name: String
        var version: UInt32
        var tree: BTree

        func summary(root: PageWord?) -> CheckpointContents.Tree {
            CheckpointContents.Tree(
                name: name,
                version: version,
                count: tree.count,
                longestKey: tree.longestKey,
                root: root
            )
        }
    }

    fileprivate var trees: [NamedTree] {
        [NamedTree(name: "", version: 0, tree: root.records)]
            + root.indexes.map {
                NamedTree(
                    name: $0.definition.name,
                    version: $0.definition.version,
                    tree: $0.entries
                )
            }
    }
}

extension StorageError {
    static let noCheckpointHere = StorageError(
        .inputOutput,
        "This machine orders the bytes of a number in another way than a checkpoint does, and so"
            + " writes none. Nothing was changed."
    )
}
