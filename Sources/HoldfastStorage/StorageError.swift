/// What went wrong in the engine, where, and what to do.
///
/// Match on ``code``, which can grow; show ``description``. Messages carry no key and no value.
public struct StorageError: Error, Sendable {
    /// A kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        init(_ name: String) { description = name }
    }

    /// Which kind of failure it is.
    public let code: Code
    /// What happened, what state remains and what to do, in a sentence or two.
    public let message: String
    /// The file that it is about.
    public let path: String?
    /// The offset in that file, in bytes.
    public let offset: UInt64?
    /// What caused it, such as a ``SystemCallError``.
    public let cause: (any Error)?

    /// Describes a failure.
    public init(
        _ code: Code,
        _ message: String,
        path: String? = nil,
        offset: UInt64? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.offset = offset
        self.cause = cause
    }
}

extension StorageError: CustomStringConvertible {
    /// The message, then where, then the cause.
    public var description: String {
        var text = message
        if let path {
            text += " (\(path)"
            if let offset { text += ", offset \(offset)" }
            text += ")"
        }
        if let cause { text += " [\(cause)]" }
        return text
    }
}

extension StorageError.Code {
    /// Nothing stands at the path.
    public static let notFound = Self("notFound")
    /// What stands at the path is not a store.
    public static let notAStore = Self("notAStore")
    /// Something stands where a new store should be made; nothing was touched.
    public static let alreadyExists = Self("alreadyExists")
    /// The store was written by a newer version; nothing was touched.
    public static let unsupportedVersion = Self("unsupportedVersion")
    /// Data that was known to be durable is damaged or missing; nothing was touched.
    public static let corruption = Self("corruption")
    /// A page of the checkpoint is damaged; no data is lost, and the index is made anew from the
    /// journal meanwhile.
    public static let checkpointDamaged = Self("checkpointDamaged")
    /// Another process, or this one, has the store open for writing.
    public static let locked = Self("locked")
    /// The disk is full; nothing of this commit remains.
    public static let diskFull = Self("diskFull")
    /// The system refused access; nothing was created or changed.
    public static let protectedDataUnavailable = Self("protectedDataUnavailable")
    /// A write was asked of a store that is open for reading only, or that stands on a file system
    /// which can only be read; nothing was changed.
    public static let readOnly = Self("readOnly")
    /// A sync failed, so whether this commit survives a power loss is unknown.
    ///
    /// Reads go on; every later write throws this until the store is opened again.
    public static let outcomeUnknown = Self("outcomeUnknown")
    /// The transaction is larger than a frame may be; nothing of it remains.
    public static let transactionTooLarge = Self("transactionTooLarge")
    /// A key is empty or longer than ``StorageLimits/keyBytes``.
    public static let invalidKey = Self("invalidKey")
    /// The store was suspended and has not been resumed; nothing was written.
    public static let suspended = Self("suspended")
    /// The store was closed.
    public static let closed = Self("closed")
    /// The changes asked for are below the feed floor; start again from a snapshot.
    public static let changesCompacted = Self("changesCompacted")
    /// No index has the name that was asked for.
    public static let unknownIndex = Self("unknownIndex")
    /// A system call failed for another reason.
    public static let inputOutput = Self("inputOutput")
}
