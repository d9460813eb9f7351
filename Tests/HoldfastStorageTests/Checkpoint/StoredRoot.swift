import HoldfastStorage
import HoldfastTesting
import Testing

/// A state with an index, on its way to a checkpoint on a simulated disk and back.
struct StoredRoot {
    static let store = StoreID(first: 1, second: 2)
    static let path = "store"
    static let file = path + "/checkpoint"

    let disk = SimulatedDisk()
    let capacity: NodeCapacity
    private(set) var root: StorageRoot
    private(set) var records: [[UInt8]: [UInt8]] = [:]

    init(_ count: Int, entries: Int = 5, seed: UInt64 = 1) async throws {
        capacity = NodeCapacity(entries: entries)
        root = StorageRoot(sequenceNumber: SequenceNumber(7), capacity: capacity)
        var random = SplitMix64(seed: seed)
        try root.setIndexes([Self.index], reading: PayloadSource())
        for _ in 0..<count {
            let key = random.bytes(1 + random.next(below: 12), below: 9)
            try put(key, Self.location(UInt8(random.next(below: 200))))
        }
        try disk.createDirectory(Self.path)
        _ = try await write(root)
    }

    /// Two entries a record: of its value's first byte, and of a byte that many share.
    static let index = IndexDefinition(name: "kind", version: 3) { _, value, emit in
        emit(value.extracting(4..<5))
        let shared: [UInt8] = [value.bytes[4] % 3, 0, 255]
        emit(unsafe shared.span.bytes)
    }

    /// A payload that can be a place in the journal, told from others by a byte.
    static func location(_ number: UInt8) -> [UInt8] {
        [1, 0, 0, 0, number, 32, 0, 0, 40, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]
    }

    mutating func put(_ key: [UInt8], _ payload: [UInt8]) throws {
        let value = unsafe payload.span.bytes
        try unsafe root.put(value, value, for: key.span.bytes, reading: PayloadSource())
        records[key] = payload
    }

    mutating func replaceRecords(_ records: [[UInt8]: [UInt8]]) { self.records = records }

    var checkpoints: CheckpointFile { CheckpointFile(at: Self.path, fileSystem: disk) }

    func write(_ root: StorageRoot, salt: UInt64 = 9) async throws -> UInt64 {
        try await checkpoints.write(
            CheckpointImage(
                store: Self.store,
                root: root,
                position: JournalPosition(
                    segment: 3,
                    offset: 8_192 + 96,
                    chain: 5,
                    number: root.sequenceNumber,
                    epoch: 2
                ),
                frame: 8_192,
                segments: [
                    SegmentSummary(
                        number: 2,
                        first: SequenceNumber(3),
                        length: 9_000,
                        liveBytes: 100,
                        tombstones: [.init(older: 1...2, bytes: 30)]
                    ),
                    SegmentSummary(number: 3, first: SequenceNumber(6), length: 8_288),
                ],
                retired: [
                    RetiredRange(
                        segments: 1...1,
                        first: SequenceNumber(1),
                        next: SequenceNumber(3),
                        before: .init(length: 0, chain: 0),
                        end: .init(length: 8_500, chain: 77)
                    )
                ]
            ),
            salt: salt
        )
    }

    func open() throws -> Checkpoint {
        let found = try found()
        let checkpoint: Checkpoint? = if case .checkpoint(let it) = found { it } else { nil }
        return try #require(checkpoint)
    }

    func found() throws(StorageError) -> CheckpointFile.Found {
        try checkpoints.read(of: Self.store, capacity: capacity)
    }

    /// Every key and payload of the trees of a checkpoint, and what asking ranges gives.
    static func contents(_ checkpoint: Checkpoint) throws -> [String: [[UInt8]]] {
        var contents: [String: [[UInt8]]] = [:]
        for (name, tree) in checkpoint.trees {
            var entries: [[UInt8]] = []
            try tree.forEach(in: .all) { key, payload in
                entries.append(key.bytes + payload.bytes)
                return true
            }
            entries.append([UInt8(try tree.count(in: .prefix([1])) & 255)])
            contents[name] = entries
        }
        return contents
    }
}

/// Takes payloads for values.
struct PayloadSource: ValueSource {
    func withValue<Result>(
        at payload: RawSpan,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result {
        body(payload)
    }

    func value(at payload: RawSpan, for key: RawSpan) throws(StorageError) -> [UInt8] {
        payload.bytes
    }
}
