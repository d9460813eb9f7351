import HoldfastStorage
import HoldfastTesting
import Synchronization

/// A simulated disk that counts its calls by whether they come from ``WatchedActor``.
final class WatchedFileSystem: FileSystem {
    struct Calls {
        var onActor = 0
        var elsewhere = 0
    }

    private let disk = SimulatedDisk()
    private let state = Mutex(Calls())

    var calls: Calls { state.withLock { $0 } }

    func forgetCalls() { state.withLock { $0 = Calls() } }

    fileprivate func note() {
        let isOnActor = WatchedActor.isCurrent
        state.withLock { calls in
            if isOnActor { calls.onActor += 1 } else { calls.elsewhere += 1 }
        }
    }

    func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> any File {
        note()
        return WatchedFile(try disk.open(path, access), of: self)
    }

    func createDirectory(_ path: String) throws(SystemCallError) {
        note()
        try disk.createDirectory(path)
    }

    func list(_ path: String) throws(SystemCallError) -> [String] {
        note()
        return try disk.list(path)
    }

    func kind(of path: String) throws(SystemCallError) -> FileKind? {
        note()
        return try disk.kind(of: path)
    }

    func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        note()
        try disk.rename(path, to: newPath)
    }

    func unlink(_ path: String) throws(SystemCallError) {
        note()
        try disk.unlink(path)
    }

    func syncDirectory(_ path: String) throws(SystemCallError) {
        note()
        try disk.syncDirectory(path)
    }
}

private final class WatchedFile: File {
    private let base: any File
    private let fileSystem: WatchedFileSystem

    init(_ base: any File, of fileSystem: WatchedFileSystem) {
        self.base = base
        self.fileSystem = fileSystem
    }

    var path: String { base.path }

    func readOnce(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemCallError) -> Int {
        fileSystem.note()
        return try unsafe base.readOnce(into: buffer, at: offset)
    }

    func writeOnce(_ bytes: RawSpan, at offset: UInt64) throws(SystemCallError) -> Int {
        fileSystem.note()
        return try base.writeOnce(bytes, at: offset)
    }

    func size() throws(SystemCallError) -> UInt64 { try base.size() }
    func setSize(_ size: UInt64) throws(SystemCallError) { try base.setSize(size) }
    func allocate(upTo size: UInt64) throws(SystemCallError) { try base.allocate(upTo: size) }
    func sync() throws(SystemCallError) { try base.sync() }
    func barrier() throws(SystemCallError) { try base.barrier() }
    func tryLock(_ kind: FileLock) throws(SystemCallError) -> Bool { try base.tryLock(kind) }
    func unlock() throws(SystemCallError) { try base.unlock() }
    func close() { base.close() }
}
