/// The lock that one writer of a store holds: `flock` on a file that is never removed.
///
/// The system gives it up when the process dies, however it dies. The process number in the file is
/// a hint for people.
final class StoreLock: Sendable {
    private let file: any File

    private init(_ file: any File) { self.file = file }

    deinit { file.close() }

    /// Takes the lock.
    ///
    /// - Throws: ``StorageError`` `.locked`, naming the owner.
    static func take(
        _ directory: StoreDirectory,
        _ configuration: JournalConfiguration
    ) async throws(StorageError) -> StoreLock {
        let path = directory.path(StoreDirectory.lockName)
        let file = try describing("Locking the store") { () throws(SystemCallError) in
            try directory.fileSystem.open(path, .createIfMissing)
        }
        do throws(SystemCallError) {
            for _ in 1...Self.tries {
                if try file.tryLock(.exclusive) { return StoreLock(file) }
                // A reader's probe shares the lock for an instant; a writer does not share it.
                guard try file.tryLock(.shared) else { break }
                try file.unlock()
                await configuration.scheduler.pause(for: .milliseconds(1))
            }
        } catch {
            file.close()
            throw StorageError(error, doing: "Locking the store")
        }
        let holder = Self.owner(file)
        file.close()
        throw StorageError(
            .locked,
            "The store is open for writing\(holder.map { " in process \($0)" } ?? " elsewhere")."
                + " Close it there, or open it for reading.",
            path: directory.path
        )
    }

    private static let tries = 100

    /// Whether a writer holds the lock.
    static func isHeld(_ directory: StoreDirectory) throws(StorageError) -> Bool {
        let path = directory.path(StoreDirectory.lockName)
        do throws(SystemCallError) {
            let file = try directory.fileSystem.open(path, .read)
            defer { file.close() }
            let isFree = try file.tryLock(.shared)
            // A child that is being started would keep it past the close.
            if isFree { try file.unlock() }
            return !isFree
        } catch {
            if error.errno == .notFound { return false }
            throw StorageError(error, doing: "Looking for a writer")
        }
    }

    func release() {
        // A child that is being started has the descriptor too until it runs its program: closing
        // alone would leave it the lock for that long.
        try? file.unlock()
        file.close()
    }

    /// Writes down who has the lock, for people; a full disk is no reason to refuse the store.
    func announce(_ owner: String) {
        try? file.setSize(0)
        try? unsafe file.write(Array(owner.utf8).span.bytes, at: 0)
    }

    private static func owner(_ file: any File) -> String? {
        guard let bytes = try? file.read(count: 20, at: 0) else { return nil }
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }
}
