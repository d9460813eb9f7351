/// Reads a store's files past any damage, and reports all that it meets: for looking at a journal,
/// verifying it, and saving what is left.
package struct JournalInspector {
    package enum Event: ~Copyable {
        case segment(SegmentHeader)
        case frame(segment: UInt32, offset: UInt64, FrameHeader)
        case damage(Finding)
        /// The bytes that damage has made unreadable as frames, and the commits that stood there,
        /// if any.
        case gap(segment: UInt32, ClosedRange<SequenceNumber>?)
        /// The bytes of a segment without an intact header, and the commits that may stand there;
        /// the upper one is unknown behind the last segment that has a header.
        case headless(segment: UInt32, from: SequenceNumber, through: SequenceNumber?)
        /// An unfinished write behind the last commit.
        case tornTail(segment: UInt32, offset: UInt64)
    }

    package typealias Visitor =
        (_ event: borrowing Event, _ payload: RawSpan) throws -> Void

    private let directory: StoreDirectory

    /// Looks at the store in a directory.
    ///
    /// - Throws: ``StorageError`` where there is no store.
    package init(at path: String, configuration: JournalConfiguration) throws(StorageError) {
        directory = StoreDirectory(path: path, fileSystem: configuration.fileSystem)
        try directory.requireStore()
    }

    /// Visits everything in the order of the journal.
    ///
    /// It changes nothing, and calls nothing damage that another process is writing.
    ///
    /// - Throws: ``StorageError`` where the store is newer or cannot be read; or what `visit`
    ///   throws.
    package func inspect(_ visit: Visitor) throws {
        var walk = try walk()
        while try walk.visitNext(visit) {}
    }

    /// The same, a segment at a time.
    func walk() throws(StorageError) -> JournalWalk { try JournalWalk(directory) }
}
