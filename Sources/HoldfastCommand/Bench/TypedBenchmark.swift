import Holdfast
import HoldfastStorage
import HoldfastTesting

/// What an app sees: typed records through `Store`, with two indexes.
struct TypedBenchmark {
    private static let memoryRecords = 200_000

    let directory: String
    let records: Int

    private var codings: Int { min(records, 200_000) }
    private var queries: Int { min(records, 20_000) }

    /// The codec alone.
    func codec() throws -> [BenchFigure] {
        let source = try NoteSource(count: 1_000, ids: .random)
        let notes = (0..<1_000).map { source[$0] }
        let documents = try notes.map { try DocumentEncoder.encode($0).bytes }
        let clock = ContinuousClock()
        var bytes = 0
        let encoding = try clock.measure {
            for round in 0..<codings {
                bytes += try DocumentEncoder.encode(notes[round % 1_000]).bytes.count
            }
        }
        let decoding = try clock.measure {
            for round in 0..<codings {
                let note = try DocumentDecoder.decode(
                    NoteRecord.self,
                    from: documents[round % 1_000]
                )
                bytes += note.title.utf8.count
            }
        }
        guard bytes > 0 else { throw Failure("the codec gave nothing") }
        return [
            .rate("noteEncodes", "notes encoded", codings, in: encoding),
            .rate("noteDecodes", "notes decoded", codings, in: decoding),
        ]
    }

    /// Puts in memory, where no disk is waited for.
    func memory() async throws -> [BenchFigure] {
        let count = min(records, Self.memoryRecords)
        let store = try await Store(storage: MemoryStorage(retainedCommits: 10))
        let source = try NoteSource(count: count, ids: .random)
        let time = try await put(source, into: store)
        try await store.close()
        return [.rate("memoryPuts", "typed puts in memory, two indexes", count, in: time)]
    }

    /// A large store whose ids are in random order.
    func random() async throws -> [BenchFigure] {
        let store = try await Store.open(at: "\(directory)/random")
        let source = try NoteSource(count: records, ids: .random)
        let time = try await put(source, into: store)
        var figures = [
            BenchFigure.rate(
                "typedPuts",
                "typed puts, two indexes, 1,000 a commit",
                records,
                in: time
            )
        ]
        figures += try pointReads(source, in: store)
        figures += try newest(in: store)
        figures += try scans("typedScan", "random ids", in: store)
        try await store.close()
        return figures
    }

    /// A large store whose ids and dates are in the order of time, as those of an app are.
    func ordered() async throws -> [BenchFigure] {
        let store = try await Store.open(at: "\(directory)/ordered")
        let source = try NoteSource(count: records, ids: .ordered)
        let time = try await put(source, into: store)
        let puts = BenchFigure.rate(
            "orderedPuts",
            "typed puts as time goes on, two indexes",
            records,
            in: time
        )
        let figures = try scans("orderedScan", "time-ordered ids", in: store)
        try await store.close()
        return [puts] + figures
    }

    private func put(_ source: NoteSource, into store: Store) async throws -> Duration {
        for index in NoteRecord.indexes {
            try await store.createIndex(index, on: NoteRecord.table)
        }
        var time = Duration.zero
        for start in stride(from: 0, to: source.ids.count, by: 1_000) {
            try Task.checkCancellation()
            let notes = (start..<min(start + 1_000, source.ids.count)).map { source[$0] }
            let begin = ContinuousClock.now
            try await store.write { transaction in
                for note in notes { try transaction.put(note) }
            }
            time += .now - begin
        }
        return time
    }

    private func pointReads(_ source: NoteSource, in store: Store) throws -> [BenchFigure] {
        let reads = min(records, 300_000)
        var random = SplitMix64(1)
        let time = try ContinuousClock().measure {
            try store.read { transaction in
                for _ in 0..<reads {
                    let number = Int.random(in: 0..<source.ids.count, using: &random)
                    let note = try transaction.get(NoteRecord.self, source.ids[number])
                    guard note?.version == number % 300 else {
                        throw Failure("note \(number) is not there")
                    }
                }
            }
        }
        return [.rate("typedReads", "typed point reads, random ids", reads, in: time)]
    }

    private func newest(in store: Store) throws -> [BenchFigure] {
        let query = NoteRecord.query.order(by: "updatedAt", .descending).limit(50)
        let time = try ContinuousClock().measure {
            for _ in 0..<queries {
                let notes = try store.read { try $0.fetch(query) }
                guard notes.count == min(50, records) else { throw Failure("notes are missing") }
            }
        }
        return [.rate("typedNewest", "typed 50 newest by index", queries, in: time)]
    }

    private func scans(_ key: String, _ title: String, in store: Store) throws -> [BenchFigure] {
        let fetching = try scan { store in
            try store.read { try $0.fetch(NoteRecord.query).count }
        }
        let ordered = try scan { store in
            var count = 0
            try store.read { transaction in
                _ = try transaction.forEach(NoteRecord.query) { _ in
                    count += 1
                    return true
                }
            }
            return count
        }
        let unordered = try scan { store in
            var count = 0
            try store.read { transaction in
                try transaction.forEachUnordered(NoteRecord.self) { _ in
                    count += 1
                    return true
                }
            }
            return count
        }
        func scan(_ body: (Store) throws -> Int) throws -> Duration {
            try ContinuousClock().measure {
                guard try body(store) == records else { throw Failure("notes are missing") }
            }
        }
        return [
            .rate("\(key)Fetch", "typed fetch of all, \(title)", records, in: fetching),
            .rate("\(key)Ordered", "typed visit in order, \(title)", records, in: ordered),
            .rate("\(key)Any", "typed visit in any order, \(title)", records, in: unordered),
        ]
    }
}
