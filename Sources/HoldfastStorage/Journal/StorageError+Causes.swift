extension StorageError {
    /// What a failed system call means for a store, while `doing` something such as
    /// "Opening the store".
    init(_ error: SystemCallError, doing: String) {
        switch error.errno {
        case .noSpace, .quotaExceeded, .fileTooLarge:
            self.init(
                .diskFull,
                "\(doing) failed: the disk is full. Nothing of it remains; free some space and try"
                    + " again.",
                path: error.path,
                cause: error
            )
        case .readOnlyFileSystem:
            self.init(
                .readOnly,
                "\(doing) failed: the file system can only be read. Nothing was changed; open the"
                    + " store for reading.",
                path: error.path,
                cause: error
            )
        case .permissionDenied, .notPermitted:
            self.init(
                .protectedDataUnavailable,
                "\(doing) failed: the system refuses access. Nothing was changed; check the"
                    + " permissions, or wait until the device is unlocked.",
                path: error.path,
                cause: error
            )
        default:
            self.init(.inputOutput, "\(doing) failed.", path: error.path, cause: error)
        }
    }

    /// A failed sync: nothing may be concluded from one that succeeds later.
    static func unknownOutcome(_ error: SystemCallError, doing: String) -> StorageError {
        StorageError(
            .outcomeUnknown,
            "\(doing) failed: whether the last commits survive a power loss is unknown. Reads go on;"
                + " close the store and open it again to recover.",
            path: error.path,
            cause: error
        )
    }

    static func unsupportedVersion(found version: UInt32, path: String) -> StorageError {
        StorageError(
            .unsupportedVersion,
            "The store has format version \(version) and this program knows only version"
                + " \(FileSignature.version): use a newer program. Nothing was touched.",
            path: path
        )
    }

    static func unsupportedFeatures(path: String) -> StorageError {
        StorageError(
            .unsupportedVersion,
            "The store uses a feature that this program does not know: use a newer program."
                + " Nothing was touched.",
            path: path
        )
    }

    static func corruption(_ what: String, path: String, offset: UInt64? = nil) -> StorageError {
        StorageError(
            .corruption,
            "\(what) Nothing was changed; restore a backup, or read what is left from a copy.",
            path: path,
            offset: offset
        )
    }

    static func changesCompacted(_ floor: SequenceNumber) -> StorageError {
        StorageError(
            .changesCompacted,
            "Changes up to \(floor) are no longer kept; start again from a snapshot."
        )
    }

    /// A store that changed hands whenever it was looked at.
    static func busy(_ path: String) -> StorageError {
        StorageError(
            .inputOutput,
            "The store changed while it was read, again and again. Try once more.",
            path: path
        )
    }

    static let suspended = StorageError(
        .suspended,
        "The store is suspended: its lock was let go. Resume it before writing."
    )

    static let closed = StorageError(.closed, "The store is closed; open it again.")
}

/// Runs system calls and gives their failure the engine's name.
func describing<Result>(
    _ doing: String,
    _ body: () throws(SystemCallError) -> Result
) throws(StorageError) -> Result {
    do {
        return try body()
    } catch {
        throw StorageError(error, doing: doing)
    }
}
