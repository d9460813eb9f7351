import Synchronization

/// A checkpoint's file, for reading its pages; it is kept open as long as a tree has nodes there.
final class PageFile: Sendable {
    private struct Damage {
        var isFound = false
        var handler: (@Sendable () -> Void)?
    }

    private let file: any File
    private let salt: UInt64
    /// Where the pages end.
    private let end: UInt64
    private let damage = Mutex(Damage())

    init(_ file: any File, salt: UInt64, end: UInt64) {
        self.file = file
        self.salt = salt
        self.end = end
    }

    static func check(of bytes: RawSpan, salt: UInt64, offset: UInt64) -> UInt64 {
        XXH64.hash(of: bytes, seed: salt ^ offset)
    }

    /// Reads a page, verifies its check and lends its bytes.
    ///
    /// - Returns: What `body` returned.
    /// - Throws: ``StorageError`` `.checkpointDamaged` when the check fails, or `body` makes nothing
    ///   of the bytes.
    func withPage<Result>(
        _ page: PageWord,
        _ body: (RawSpan) -> Result?
    ) throws(StorageError) -> Result {
        guard page.offset >= CheckpointHeader.pagesStart, page.end <= end else {
            throw found(.damagedPage(file.path, page.offset))
        }
        var outcome = Swift.Result<Result, StorageError>.failure(
            .damagedPage(file.path, page.offset)
        )
        unsafe withUnsafeTemporaryAllocation(byteCount: page.length, alignment: 16) { buffer in
            do throws(SystemCallError) {
                guard try unsafe file.read(into: buffer, at: page.offset) == page.length else {
                    return
                }
            } catch {
                outcome = .failure(.unreadablePage(error, page.offset))
                return
            }
            let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffer))
            let check = Self.check(
                of: bytes.extracting(8..<page.length),
                salt: salt,
                offset: page.offset
            )
            guard bytes.integer(at: 0) == check, let result = body(bytes) else { return }
            outcome = .success(result)
        }
        do throws(StorageError) {
            return try outcome.get()
        } catch {
            throw found(error)
        }
    }

    /// Whether a page was found that cannot be read.
    var isDamaged: Bool { damage.withLock { $0.isFound } }

    /// Calls `handler`, once, as soon as a page is found that cannot be read.
    func onDamage(_ handler: @escaping @Sendable () -> Void) {
        let isFound = damage.withLock { damage in
            damage.handler = handler
            return damage.isFound
        }
        if isFound { report() }
    }

    private func found(_ error: StorageError) -> StorageError {
        if error.code == .checkpointDamaged {
            damage.withLock { $0.isFound = true }
            report()
        }
        return error
    }

    private func report() {
        let handler = damage.withLock { damage in
            defer { damage.handler = nil }
            return damage.handler
        }
        handler?()
    }
}

extension StorageError {
    static func damagedPage(_ path: String, _ offset: UInt64) -> StorageError {
        StorageError(
            .checkpointDamaged,
            "A page of the checkpoint is damaged. No data is lost: what it held is read from the"
                + " journal again. Try once more in a while, or open the store again.",
            path: path,
            offset: offset
        )
    }

    static func unreadablePage(_ error: SystemCallError, _ offset: UInt64) -> StorageError {
        if error.isRefusal { return StorageError(error, doing: "Reading the checkpoint") }
        return StorageError(
            .checkpointDamaged,
            "A page of the checkpoint cannot be read. No data is lost: what it held is read from"
                + " the journal again. Try once more in a while, or open the store again.",
            path: error.path,
            offset: offset,
            cause: error
        )
    }

    /// A tree with unloaded nodes and no file that they are in: a defect, which must not trap.
    static let missingPages = StorageError(
        .checkpointDamaged,
        "A part of the index is in no checkpoint. No data is lost; open the store again."
    )

    static let pageTooLarge = StorageError(
        .inputOutput,
        "The index does not fit into a checkpoint. Nothing was changed."
    )
}
