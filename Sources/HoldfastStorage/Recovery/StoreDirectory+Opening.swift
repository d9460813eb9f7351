extension StoreDirectory {
    /// Throws unless a store is there.
    func requireStore() throws(StorageError) {
        _ = try findOrMake(createsIfMissing: false)
    }

    /// - Returns: Whether a store has to be made there.
    func findOrMake(createsIfMissing: Bool) throws(StorageError) -> Bool {
        let kind = try describing("Opening the store") { () throws(SystemCallError) in
            try fileSystem.kind(of: path)
        }
        switch kind {
        case .directory:
            return try isUnmade(createsIfMissing: createsIfMissing)
        case nil where createsIfMissing:
            try make()
            return true
        case nil:
            throw StorageError(.notFound, "There is no store at this path.", path: path)
        case .file, .other:
            throw StorageError(
                .notAStore,
                "This is a file, and a store is a directory. Nothing was touched.",
                path: path
            )
        }
    }

    private func make() throws(StorageError) {
        do throws(SystemCallError) {
            do throws(SystemCallError) {
                try fileSystem.createDirectory(path)
            } catch  where error.errno == .exists {
                // Another opener was faster; the lock decides between the two.
            }
            try fileSystem.syncDirectory(parent)
        } catch  where error.errno == .notFound {
            throw StorageError(
                .notFound,
                "The directory that the store should stand in does not exist. Make it first.",
                path: parent
            )
        } catch {
            throw StorageError(error, doing: "Making the store")
        }
    }

    private func isUnmade(createsIfMissing: Bool) throws(StorageError) -> Bool {
        let listing = try listing()
        if listing.hasIdentity { return false }
        try requireUnused(listing)
        if !listing.foreign.isEmpty || !createsIfMissing {
            throw StorageError(
                .notAStore,
                "The directory is not a store: it has no identity file. Nothing was touched.",
                path: path
            )
        }
        return true
    }

    private func requireUnused(_ listing: Listing) throws(StorageError) {
        // The identity is durable before the first commit: with more than an empty first segment,
        // it was lost.
        var isEmpty = listing.segments.isEmpty && !listing.hasClosed && !listing.hasRetired
        if listing.segments == [1], !listing.hasClosed, !listing.hasRetired {
            isEmpty = try SegmentFiles(self, cacheBytes: 0).content(of: 1) != .frames
        }
        guard isEmpty else {
            throw .corruption(
                "The store's identity file is missing.",
                path: path(Self.identityName)
            )
        }
    }

    func listing() throws(StorageError) -> Listing {
        try describing("Opening the store") { () throws(SystemCallError) in try list() }
    }

    /// Makes an empty store: its first segment, durable, and then its identity.
    func create(
        _ configuration: JournalConfiguration
    ) throws(StorageError) {
        let random = configuration.random
        let store = StoreID(first: random(), second: random())
        let header = SegmentHeader(
            store: store,
            number: 1,
            salt: random(),
            first: SequenceNumber(1),
            predecessorLength: 0,
            predecessorChain: 0
        )
        let doing = "Making the store"
        try place(Self.segmentName(1), doing: doing) { file throws(StorageError) in
            try describing(doing) { () throws(SystemCallError) in
                try unsafe file.write(header.bytes().span.bytes, at: 0)
                try file.fillWithZeros(
                    from: SegmentHeader.firstFrame,
                    upTo: configuration.segmentBytes(live: 0)
                )
            }
        }
        try place(Self.identityName, doing: doing, bytes: StoreIdentity(store: store).bytes())
        try describing(doing) { () throws(SystemCallError) in
            try fileSystem.syncDirectory(parent)
        }
    }

    /// The store that the directory is, and the replica of it.
    func identity() throws(StorageError) -> StoreIdentity {
        guard let identity = try identityCopies().compactMap({ $0 }).first else {
            throw .corruption(
                "Both copies of the store's identity are damaged.",
                path: path(Self.identityName)
            )
        }
        return identity
    }

    /// Makes a backup that is opened for writing a replica of its own, durably.
    ///
    /// - Throws: ``StorageError``; it is still a copy, or already a replica.
    func becomeReplica(
        _ identity: StoreIdentity,
        _ configuration: JournalConfiguration
    ) throws(StorageError) -> StoreIdentity {
        var own = identity
        own.replica = StoreID(first: configuration.random(), second: configuration.random())
        own.isCopy = false
        try place(Self.identityName, doing: "Opening the backup", bytes: own.bytes())
        return own
    }

    /// What each of the identity's two copies says; `nil` for a damaged one.
    func identityCopies() throws(StorageError) -> [StoreIdentity?] {
        let bytes = try describing("Opening the store") { () throws(SystemCallError) in
            try read(Self.identityName, limit: DoubledRecord.byteCount)
        }
        return try unsafe StoreIdentity.copies(
            in: bytes.span.bytes,
            path: path(Self.identityName)
        )
    }

    func witness(_ listing: Listing, store: StoreID?) throws(StorageError) -> CloseWitness? {
        guard listing.hasClosed, let bytes = try closedBytes() else { return nil }
        return try witness(in: bytes, store: store)
    }

    /// The bytes of `closed`; `nil` where there is none, as when a writer has just removed it.
    func closedBytes() throws(StorageError) -> [UInt8]? {
        try describing("Opening the store") { () throws(SystemCallError) in
            do throws(SystemCallError) {
                return try read(Self.closedName, limit: 4_096)
            } catch  where error.errno == .notFound {
                return nil
            }
        }
    }

    func witness(in bytes: [UInt8], store: StoreID?) throws(StorageError) -> CloseWitness? {
        let path = path(Self.closedName)
        let witness = try unsafe CloseWitness.parse(bytes.span.bytes, path: path)
        return store == nil || witness?.store == store ? witness : nil
    }

    /// Makes durable what a killed process may have left in the page cache only, before anything is
    /// concluded from it: else it could be acted on and then be lost.
    func settle(_ listing: Listing) throws(StorageError) {
        try describing("Opening the store") { () throws(SystemCallError) in
            for number in listing.segments.suffix(2) {
                let file = try fileSystem.open(segmentPath(number), .readWrite)
                defer { file.close() }
                try file.sync()
            }
            try fileSystem.syncDirectory(path)
        }
        // A process that was killed while it made the store may not have come to this.
        if !listing.hasClosed { try syncParent() }
    }

    /// Makes the directory's own name durable, where the system lets its parent be opened.
    private func syncParent() throws(StorageError) {
        try describing("Opening the store") { () throws(SystemCallError) in
            do throws(SystemCallError) {
                try fileSystem.syncDirectory(parent)
            } catch  where error.isRefusal {
                // Then whoever made it there has seen to its name.
            }
        }
    }
}
