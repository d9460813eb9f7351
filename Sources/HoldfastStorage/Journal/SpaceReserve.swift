import Synchronization

/// Space that is kept back, so that a store on a full disk can still delete and compact.
///
/// It is a file that holds nothing. Its blocks are the store's: what frees space gives them up
/// first, and everything else waits until they are there again.
final class SpaceReserve: Sendable {
    private struct State {
        var isWhole = false
        var isStopped = false
    }

    private let directory: StoreDirectory
    private let byteCount: UInt64
    // Held over the disk's work: one caller makes the file or takes it away.
    private let state = Mutex(State())

    /// A reserve of so many bytes, none of which is claimed yet; without any it is always whole.
    init(_ directory: StoreDirectory, byteCount: UInt64) {
        self.directory = directory
        self.byteCount = byteCount
    }

    /// Whether the space is there, as far as was looked.
    var isWhole: Bool { byteCount == 0 || state.withLock { $0.isWhole } }

    /// Claims the space, unless it is claimed already.
    ///
    /// - Throws: ``StorageError`` `.diskFull`; nothing of it is claimed then.
    func claim() throws(StorageError) {
        guard byteCount > 0 else { return }
        try state.withLock { state throws(StorageError) in
            guard !state.isWhole, !state.isStopped else { return }
            try make()
            state.isWhole = true
        }
    }

    private func make() throws(StorageError) {
        let path = directory.path(StoreDirectory.reserveName)
        let file = try describing("Keeping space back") { () throws(SystemCallError) in
            try directory.fileSystem.open(path, .createIfMissing)
        }
        defer { file.close() }
        do throws(SystemCallError) {
            // One that an older configuration made larger gives the rest back.
            if try file.size() > byteCount { try file.setSize(byteCount) }
            try file.allocate(upTo: byteCount)
        } catch {
            // A part of it would be of no use to anyone.
            try? file.setSize(0)
            throw StorageError(error, doing: "Keeping space back")
        }
    }

    /// Gives the space up to what frees more than it takes.
    ///
    /// - Returns: Whether there was any to give.
    func release() -> Bool {
        guard byteCount > 0 else { return false }
        return state.withLock { state in
            guard state.isWhole, !state.isStopped else { return false }
            state.isWhole = false
            let path = directory.path(StoreDirectory.reserveName)
            return (try? directory.fileSystem.unlink(path)) != nil
        }
    }

    /// Ends all claiming and releasing, and waits for what is under way: once the store's lock is
    /// given up, another process owns the file.
    func stop() { state.withLock { $0.isStopped = true } }

    /// Begins again after ``stop()``; whether the space is there has to be found out.
    func start() { state.withLock { $0 = State() } }
}
