import HoldfastTesting

/// One engine that is open, whatever engine it is.
protocol OpenEngine {
    /// Reads everything once, so that no engine is measured with a cold cache.
    func warm() throws

    /// Does some work.
    func run(_ workload: any Workload) async throws -> [Figure]

    /// Compares random notes, and the newest by the index, with what the engine has to hold.
    func check(_ count: Int) throws

    /// What the engine says of itself.
    func remarks() throws -> [String]

    /// Closes it.
    func close() async throws
}

/// One engine that is open, for one round of work.
final class Session<E: Engine>: OpenEngine {
    let engine: E
    let ledger: Ledger
    let raw: RawDisk
    /// How long one piece of work is measured.
    let slice: Duration
    var random: SplitMix64

    init(_ engine: E, _ ledger: Ledger, raw: RawDisk, slice: Duration, seed: UInt64) {
        self.engine = engine
        self.ledger = ledger
        self.raw = raw
        self.slice = slice
        random = SplitMix64(seed: seed)
    }

    /// A note that is there.
    func anyNumber() -> Int { random.next(below: ledger.count) }

    /// The key of a note.
    func key(_ number: Int) throws -> E.Key { try engine.key(ledger.source.key(number)) }

    /// Keys of notes that are there.
    func anyKeys(_ count: Int) throws -> [E.Key] {
        try (0..<count).map { _ in try key(anyNumber()) }
    }

    /// New notes, as rows.
    func upcoming(_ count: Int) throws -> [E.Row] {
        try ledger.upcoming(count).map { try engine.row($0) }
    }

    /// Different notes in a new form, as rows; the ledger has them at once.
    func updates(_ count: Int) throws -> [E.Row] {
        var numbers = Set<Int>()
        var rows: [E.Row] = []
        while rows.count < min(count, ledger.count) {
            let number = anyNumber()
            guard numbers.insert(number).inserted else { continue }
            rows.append(try engine.row(ledger.updated(number)))
        }
        return rows
    }

    func warm() throws {
        var tally = Tally()
        try engine.scan(into: &tally)
        try tally.check(records: ledger.count, "the first scan")
    }

    func run(_ workload: any Workload) async throws -> [Figure] { try await workload.run(self) }

    func remarks() throws -> [String] { try engine.remarks() }

    func close() async throws { try await engine.close() }

    func check(_ count: Int) throws {
        for _ in 0..<min(count, ledger.count) {
            let note = ledger.note(anyNumber())
            guard try engine.value(of: note.key) == note.value else {
                throw Failure("a note was read back other than it was written")
            }
        }
        guard try engine.newestKeys(50) == ledger.newest(50) else {
            throw Failure("the index does not name the newest notes")
        }
        var tally = Tally()
        try engine.scan(into: &tally)
        try tally.check(records: ledger.count, "the scan")
    }
}
