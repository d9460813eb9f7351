import HoldfastStorage
import HoldfastTesting
import Testing

/// Random lives with compactions, against a dictionary.
@Suite struct CompactionModelTests {
    private typealias State = [String: String]

    /// A snapshot that is held, and what it has to show.
    private struct Held {
        let snapshot: any StorageSnapshot
        let state: State
    }

    private func contents(_ snapshot: any StorageSnapshot) throws -> State {
        var state: State = [:]
        try snapshot.scan(.all, .forward) { key, value in
            state[text(key)] = text(value)
            return true
        }
        return state
    }

    private func text(_ bytes: RawSpan) -> String {
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func aRandomLifeShowsWhatADictionaryDoes(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var store = TestStore()
        var storage = try await store.open()
        var state: State = [:]
        var held: [Held] = []
        for step in 0..<400 {
            switch random.next(below: 40) {
            case 0:
                try await storage.close()
                held = []
                storage = try await store.open()
            case 1:
                held = []
                store = TestStore(store.disk.image().afterKill())
                storage = try await store.open()
            case 2, 3: try await storage.compact()
            case 4: await store.scheduler.run(for: .seconds(1))
            case 5: held.append(Held(snapshot: try storage.snapshot(), state: state))
            case 6 where !held.isEmpty: held.remove(at: random.next(below: held.count))
            default: try await change(&state, storage, step, &random)
            }
            for held in held where random.next(below: 16) == 0 {
                #expect(try contents(held.snapshot) == held.state, "seed \(seed), step \(step)")
            }
            guard random.next(below: 16) == 0 else { continue }
            #expect(try storage.contents() == state, "seed \(seed), step \(step)")
            #expect(try storage.checkUsage() == [], "seed \(seed), step \(step)")
        }
        for held in held { #expect(try contents(held.snapshot) == held.state, "seed \(seed)") }
        let killed = TestStore(store.disk.image().afterKill())
        let reopened = try await killed.open()
        #expect(try reopened.contents() == state, "seed \(seed)")
        #expect(try reopened.checkUsage() == [], "seed \(seed)")
        #expect(try killed.verify().isIntact, "seed \(seed)")
    }

    private func change(
        _ state: inout State,
        _ storage: JournalStorage,
        _ step: Int,
        _ random: inout SplitMix64
    ) async throws {
        var changes: [(key: String, value: String?)] = []
        for _ in 0...random.next(below: 4) {
            let key = "key \(random.next(below: 24))"
            let length = random.next(below: 8) == 0 ? 2_000 : random.next(below: 200)
            let value = "\(step) " + String(repeating: "v", count: length)
            changes.append((key, random.next(below: 3) == 0 ? nil : value))
        }
        let durabilities: [Durability] = [.synced, .buffered, .ordered]
        let durability = durabilities[random.next(below: 3)]
        let batch = changes
        try await storage.write(durability) { transaction in
            for (key, value) in batch {
                if let value {
                    try transaction.put(Array(value.utf8), for: Array(key.utf8))
                } else {
                    try transaction.delete(Array(key.utf8))
                }
            }
        }
        for (key, value) in changes { state[key] = value }
    }
}
