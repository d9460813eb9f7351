import HoldfastStorage

extension DiskTree {
    /// A hash of all names, bytes and pending changes.
    var fingerprint: UInt64 {
        var hash = directoryFingerprint(Self.root)
        for (name, inode) in allNames(below: Self.root, named: "") {
            hash = Self.mix(Array(name.utf8), hash)
            hash = files[inode]?.fingerprint(hash) ?? directoryFingerprint(inode) &+ hash
        }
        return hash
    }

    /// Every name that is there or was there, in order, with what it leads to.
    private func allNames(below inode: Inode, named path: String) -> [(String, Inode)] {
        guard let directory = directories[inode] else { return [] }
        let all = directory.durable.merging(directory.entries) { $1 }
        return all.sorted { $0.key < $1.key }.flatMap { name, child in
            [(path + "/" + name, child)] + allNames(below: child, named: path + "/" + name)
        }
    }

    private func directoryFingerprint(_ inode: Inode) -> UInt64 {
        guard let directory = directories[inode] else { return 0 }
        var hash: UInt64 = 1
        for entries in [directory.entries, directory.durable] {
            for (name, inode) in entries.sorted(by: { $0.key < $1.key }) {
                hash = Self.mix(Array(name.utf8), hash &+ UInt64(inode))
            }
        }
        // In what order they wait tells too which inode each is about.
        for change in directory.pending {
            let (kind, name) = change.operation.kindAndName
            hash = Self.mix(Array(name.utf8), hash &* 31 &+ kind)
        }
        return hash
    }

    fileprivate static func mix(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
        unsafe XXH64.hash(of: bytes.span.bytes, seed: seed)
    }
}

extension SimulatedContents {
    fileprivate func fingerprint(_ seed: UInt64) -> UInt64 {
        var hash = DiskTree.mix(cache.bytes, seed)
        if !isClean { hash = DiskTree.mix(durable.bytes, hash) }
        for case .write(let offset, let bytes) in pending {
            hash = DiskTree.mix(bytes, hash &+ UInt64(offset))
        }
        for case .resize(let size) in pending { hash = hash &* 31 &+ UInt64(size) }
        return hash
    }
}
