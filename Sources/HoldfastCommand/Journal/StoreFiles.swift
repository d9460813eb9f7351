import HoldfastStorage

/// The files of a store's directory, as far as their sizes go.
struct StoreFiles {
    /// How many there are.
    private(set) var count = 0
    /// The bytes of all of them, with those that are superseded or not yet used.
    private(set) var bytes: UInt64 = 0
    /// How many of them are segments that are in use; the next one lies ready and empty.
    private(set) var segments = 0

    /// Looks at a directory; a file that goes away meanwhile does not count.
    init(_ path: String) throws {
        let fileSystem = POSIXFileSystem()
        for name in try fileSystem.list(path) {
            guard let file = try? fileSystem.open("\(path)/\(name)", .read) else { continue }
            defer { file.close() }
            count += 1
            bytes += try file.size()
            if name.hasSuffix(".segment"), try Self.isInUse(file) { segments += 1 }
        }
    }

    private static func isInUse(_ file: any File) throws -> Bool {
        try file.read(count: 64, at: 0).contains { $0 != 0 }
    }
}
