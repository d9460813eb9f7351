import Synchronization

/// Space that is kept back, so that a store on a full disk can still delete and compact.
///
/// It is a file that holds nothing. Its blocks are the store's: what frees space gives them up
/// first, and everything else waits until they are there again.
final class SpaceReserve: Sendable {
    private enum Space {
        /// Nobody has looked yet: an older session may have left it.
        case unknown
        case whole
        /// It was given up, and is to be claimed before anything else takes space.
        case missing
    }

    private struct State {
        var space = Space.unknown
        var isPressed = false
        var isStopped = false
    }

    private static let doing = "Keeping space back"

    private let directory: StoreDirectory
    private let byteCount: UInt64
    // Held over the disk's work: one caller makes the file or takes it away.
    private let state = Mutex(State())

    /// A reserve of so many bytes; it keeps none where that is 0.
    init(_ directory: StoreDirectory, byteCount: UInt64) {
        self.directory = directory
        self.byteCount = byteCount
    }

    /// Whether the space was given up and is not there again.
    var isMissing: Bool { state.withLock { $0.space == .missing } }

    /// Whether something was refused for lack of space, and nothing of its size has succeeded since.
    var isPressed: Bool { state.withLock { $0.isPressed } }

    /// Takes note that the disk is full.
    ///
    /// - Returns: Whether that is new.
    func press() -> Bool {
        state.withLock { state in
            defer { state.isPressed = true }
            return !state.isPressed
        }
    }

    /// Takes note that something found space that did not come from here.
    func relax() { state.withLock { $0.isPressed = false } }

    /// Claims the space, unless it is claimed already.
    ///
    /// - Throws: ``StorageError`` `.diskFull`; nothing of it is claimed then.
    func claim() throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            guard !state.isStopped else { return }
            if state.space == .whole {
                state.isPressed = false
                return
            }
            do throws(StorageError) {
                if byteCount > 0 { try make() }
            } catch {
                if error.code == .diskFull {
                    state.space = .missing
                }
                throw error
            }
            state.space = .whole
            state.isPressed = false
        }
    }

    private func make() throws(StorageError) {
        let path = directory.path(StoreDirectory.reserveName)
        let file = try describing(Self.doing) { () throws(SystemCallError) in
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
            throw StorageError(error, doing: Self.doing)
        }
    }

    /// Gives the space up to what frees more than it takes.
    ///
    /// - Returns: Whether there was any to give.
    func release() -> Bool {
        state.withLock { state in
            guard byteCount > 0, state.space != .missing, !state.isStopped else { return false }
            state.space = .missing
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
