/// The names in a store's directory, and the ways in which a file comes to stand there.
struct StoreDirectory: Sendable {
    let path: String
    let fileSystem: any FileSystem

    static let lockName = "LOCK"
    static let identityName = "identity"
    static let closedName = "closed"
    static let reserveName = "reserve"
    static let retiredName = "retired"
    static let checkpointName = "checkpoint"
    private static let segmentSuffix = ".segment"
    private static let temporarySuffix = ".tmp"

    func path(_ name: String) -> String { path + "/" + name }

    static func segmentName(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + segmentSuffix
    }

    func segmentPath(_ number: UInt32) -> String { path(Self.segmentName(number)) }

    /// What stands in the directory.
    struct Listing: Equatable {
        var segments: [UInt32] = []
        var temporaries: [String] = []
        var hasIdentity = false
        var hasClosed = false
        var hasLock = false
        var hasRetired = false
        var hasCheckpoint = false
        var foreign: [String] = []

        var isEmpty: Bool { self == Listing() }
    }

    func list() throws(SystemCallError) -> Listing {
        var listing = Listing()
        for name in try fileSystem.list(path) {
            switch name {
            case Self.lockName: listing.hasLock = true
            case Self.identityName: listing.hasIdentity = true
            case Self.closedName: listing.hasClosed = true
            case Self.reserveName: break
            case Self.retiredName: listing.hasRetired = true
            case Self.checkpointName: listing.hasCheckpoint = true
            case _ where Self.isTemporary(name): listing.temporaries.append(name)
            default:
                if let number = Self.segmentNumber(name) {
                    listing.segments.append(number)
                } else {
                    listing.foreign.append(name)
                }
            }
        }
        listing.segments.sort()
        listing.foreign.sort()
        return listing
    }

    static func segmentNumber(_ name: String) -> UInt32? {
        guard name.hasSuffix(segmentSuffix),
            let number = UInt32(name.dropLast(segmentSuffix.count), radix: 16),
            number > 0, segmentName(number) == name
        else { return nil }
        return number
    }

    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasSuffix(temporarySuffix) else { return false }
        let target = String(name.dropLast(temporarySuffix.count))
        return [identityName, closedName, retiredName, checkpointName].contains(target)
            || segmentNumber(target) != nil
    }

    /// Makes a file stand under its name with all of its content, or not at all: written under a
    /// temporary name, synced, renamed, and the directory synced.
    ///
    /// - Throws: ``StorageError``; an older file of the name stands as it was. With
    ///   `.outcomeUnknown` the directory's sync failed: either of the two may stand after a power
    ///   loss.
    func place(
        _ name: String,
        doing: String,
        _ write: (any File) throws(StorageError) -> Void
    ) throws(StorageError) {
        let temporary = path(name + Self.temporarySuffix)
        let file = try describing(doing) { () throws(SystemCallError) in
            if try fileSystem.kind(of: temporary) != nil { try fileSystem.unlink(temporary) }
            return try fileSystem.open(temporary, .createNew)
        }
        defer { file.close() }
        do {
            try write(file)
            try describing(doing) { () throws(SystemCallError) in
                try file.sync()
                try fileSystem.rename(temporary, to: path(name))
            }
        } catch {
            // Half a file is of no use, and the disk may be full of it.
            try? fileSystem.unlink(temporary)
            throw error
        }
        do throws(SystemCallError) {
            try fileSystem.syncDirectory(path)
        } catch {
            throw .unknownOutcome(error, doing: doing)
        }
    }

    func place(_ name: String, doing: String, bytes: [UInt8]) throws(StorageError) {
        try place(name, doing: doing) { file throws(StorageError) in
            try describing(doing) { () throws(SystemCallError) in
                try unsafe file.write(bytes.span.bytes, at: 0)
            }
        }
    }

    /// The first `limit` bytes of a file, fewer where it is shorter.
    func read(_ name: String, limit: Int) throws(SystemCallError) -> [UInt8] {
        let file = try fileSystem.open(path(name), .read)
        defer { file.close() }
        return try file.read(count: limit, at: 0)
    }

    func remove(_ name: String) throws(SystemCallError) {
        try fileSystem.unlink(path(name))
        try fileSystem.syncDirectory(path)
    }

    /// The directory that holds this one.
    var parent: String {
        let trimmed = path.last == "/" && path.count > 1 ? path.dropLast() : path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}
