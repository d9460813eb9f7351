/// What is compared: a store of notes that is open, with an index over their dates.
///
/// Each engine does the same work in the way that is usual for it. Rows and keys are made before the
/// clock runs; what a read returns is looked at byte by byte.
protocol Engine: Sendable {
    /// A note in the form that the engine takes.
    associatedtype Row: Sendable
    /// An id in the form that the engine takes.
    associatedtype Key: Sendable

    /// The form of a note that is written.
    func row(_ note: Note) throws -> Row

    /// The form of an id that is read.
    func key(_ bytes: [UInt8]) throws -> Key

    /// Commits notes that are new in one durable transaction.
    func insert(_ rows: [Row]) async throws

    /// Commits notes that are there in a new form, in one durable transaction.
    func update(_ rows: [Row]) async throws

    /// Commits rows of a pool one by one, from so many committers at once, until it gives no more.
    func insert(from pool: RowPool<Row>, committers: Int) async throws

    /// Reads notes by their ids, from one state.
    func read(_ keys: [Key], into tally: inout Tally) throws

    /// Reads the notes with the greatest dates, the newest first.
    func newest(_ count: Int, into tally: inout Tally) throws

    /// Reads notes in the order of their ids, from one id on.
    func range(from key: Key, _ count: Int, into tally: inout Tally) throws

    /// Reads all notes, in the order that is fastest.
    func scan(into tally: inout Tally) throws

    /// The fields of one note in the form of ``Note/value``, to check that nothing was cheated.
    func value(of key: [UInt8]) throws -> [UInt8]?

    /// The ids of the notes with the greatest dates by the index, to check it.
    func newestKeys(_ count: Int) throws -> [[UInt8]]

    /// Lets the engine do after a bulk load what it would do later in the background.
    func settle() async throws

    /// What the engine says of its files and its cache, for people.
    func remarks() throws -> [String]

    /// Closes the store.
    func close() async throws
}

extension Engine {
    func settle() async throws {}

    func remarks() throws -> [String] { [] }

    func insert(from pool: RowPool<Row>, committers: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<committers {
                group.addTask {
                    while let row = pool.take() { try await insert([row]) }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension Engine where Row == Note {
    func row(_ note: Note) throws -> Note { note }
}

extension Engine where Key == [UInt8] {
    func key(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
}
