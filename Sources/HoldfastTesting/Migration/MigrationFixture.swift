import Holdfast
import HoldfastStorage

/// A store as an older version of an app leaves it.
struct MigrationFixture: Sendable {
    enum Content: Sendable {
        case filled(@Sendable (Store) async throws -> Void)
        case lines(String, TableName)
        case directory(String)
    }

    let version: Int
    let content: Content

    /// A disk with the store on it, closed.
    func image(_ schema: Schema?) async throws -> DiskImage {
        let disk = SimulatedDisk()
        if case .directory(let path) = content {
            try disk.copy(path)
            let image = disk.image()
            try await requireVersion(of: image)
            return image
        }
        let store = try await MigrationStore.open(disk, schema)
        do {
            try await fill(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return disk.image()
    }

    /// Refuses files of another version than the test says: every open of them for writing would
    /// migrate them unseen.
    private func requireVersion(of image: DiskImage) async throws {
        let found = try await MigrationStore.with(image.afterKill(), nil, .read) { store in
            try store.read { try $0.schemaVersion() }
        }
        if found ?? 0 == version { return }
        let data = found.map { "is of version \($0)" } ?? "was never opened with a schema"
        throw MigrationViolation(
            "The directory is said to be of version \(version), and its data \(data)."
        )
    }

    private func fill(_ store: Store) async throws {
        switch content {
        case .filled(let fill): try await fill(store)
        case .lines(let text, let table): try await Self.put(text, into: store, table)
        case .directory: break
        }
    }

    private static func put(_ text: String, into store: Store, _ table: TableName) async throws {
        var reader = JSONLineReader()
        reader.append(text.utf8)
        reader.finish()
        var records: [JSONObject] = []
        while let line = try reader.next() { records.append(try line.object()) }
        let parsed = records
        try await store.write { transaction in
            for record in parsed { try transaction.put(record, in: table) }
        }
    }
}

extension SimulatedDisk {
    /// Takes a store's files over from a real directory.
    fileprivate func copy(_ path: String) throws {
        let source = POSIXFileSystem()
        try createDirectory(MigrationStore.path)
        for name in try source.list(path) {
            let file = try source.open(path + "/" + name, .read)
            defer { file.close() }
            let bytes = try file.read(count: Int(file.size()), at: 0)
            let copy = try open(MigrationStore.path + "/" + name, .createNew)
            defer { copy.close() }
            try unsafe copy.write(bytes.span.bytes, at: 0)
            try copy.sync()
        }
        try syncDirectory(MigrationStore.path)
        try syncDirectory(".")
    }
}
