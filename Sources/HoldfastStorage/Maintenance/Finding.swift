/// Something in a store's files that is not as it was written.
public struct Finding: Hashable, Sendable {
    /// What kind of damage it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The identity file, or one of its copies, is damaged or missing.
        case identity
        /// The `closed` file is damaged, or the `retired` file or one of its copies.
        case witness
        /// A copy of a segment's header is damaged.
        case header
        /// A segment is missing or blank, or stands under another's name, or belongs to another
        /// store.
        case segment
        /// A frame is damaged.
        case frame
        /// An entry of a frame is damaged.
        case entry
        /// Commits that were durable are missing.
        case missing
        /// The system cannot read a part of a file.
        case unreadable
        /// A record cannot be read back, though its place in the journal is known.
        case record
        /// A count differs from what is there.
        case count
        /// The checkpoint, or a page of it, is damaged: no data is lost by that.
        case checkpoint
        /// An index does not say what its records do.
        case index
    }

    /// What stands for the name where it is not about one file.
    public static let noFile = "-"

    /// The file's name within the store, or ``noFile``.
    public let file: String
    /// Where in the file, in bytes.
    public let offset: UInt64
    /// What is damaged.
    public let kind: Kind
    /// What that means, in a sentence.
    public let detail: String

    package init(file: String, offset: UInt64, kind: Kind, detail: String) {
        self.file = file
        self.offset = offset
        self.kind = kind
        self.detail = detail
    }
}

/// What verifying a store found.
public struct VerificationReport: Hashable, Sendable {
    /// The damage, in the order of the journal; empty for an intact store.
    public package(set) var findings: [Finding] = []
    /// Whether an unfinished write stands behind the last commit, as after a crash.
    ///
    /// It is no damage.
    public internal(set) var hasTornTail = false
    /// The last commit that is there.
    public internal(set) var last = SequenceNumber.zero
    /// The number of segments.
    public internal(set) var segments = 0
    /// The number of frames, marks and seals among them.
    public internal(set) var frames = 0
    /// The number of entries.
    public internal(set) var entries = 0
    /// The bytes of journal that were read.
    public internal(set) var bytes: UInt64 = 0
    /// The records that were read back through their index; `nil` where only the files were looked
    /// at.
    public package(set) var records: Int?
    /// Whether the records were built again from the journal alone, and compared.
    ///
    /// They are not where commits are made meanwhile.
    public internal(set) var isRecounted = false
    /// The commit that the checkpoint is of, every page of which was read; `nil` where there is
    /// none.
    public internal(set) var checkpoint: SequenceNumber?
    /// The entries of all secondary indexes, each compared with what its record gives; `nil` where
    /// only the files were looked at.
    public internal(set) var indexEntries: Int?

    /// Whether nothing is damaged.
    public var isIntact: Bool { findings.isEmpty }
}
