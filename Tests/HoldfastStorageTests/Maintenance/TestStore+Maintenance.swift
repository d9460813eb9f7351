import HoldfastStorage
import HoldfastTesting

extension TestStore {
    /// A store that was killed with commits behind the last one that is known to be durable.
    static func killed(proven: Int, unproven: Int) async throws -> TestStore {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...proven + unproven {
            let durability: Durability = number > proven ? .buffered : .synced
            try await storage.put(filler(number), for: "key \(number)", durability)
        }
        return TestStore(store.disk.image().afterKill())
    }

    /// A closed store whose records and segments differ in length.
    static func uneven(_ count: Int) async throws -> TestStore {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...count {
            try await storage.put(unevenFiller(number), for: "key \(number)")
        }
        try await storage.close()
        return store
    }

    static func unevenFiller(_ number: Int) -> String {
        "value \(number) " + String(repeating: "x", count: 100 + number * 37 % 300)
    }

    /// The numbers of the commits that stand in each segment.
    func commitsBySegment() throws -> [UInt32: [Int]] {
        var numbers: [UInt32: [Int]] = [:]
        let inspector = try JournalInspector(at: Self.path, configuration: configuration)
        try inspector.inspect { event, _ in
            switch event {
            case .frame(let segment, _, let header) where header.kind == .transaction:
                numbers[segment, default: []].append(Int(header.number.rawValue))
            default: break
            }
        }
        return numbers
    }

    /// What salvaging gives, and what the new store holds.
    func salvaged() async throws -> (JournalSalvage.Report, [String: String]) {
        let report = try await JournalSalvage.salvage(
            from: Self.path,
            to: "saved",
            configuration: configuration
        )
        let saved = try await JournalFollower.open(at: "saved", configuration: configuration)
        return (report, try saved.contents())
    }
}
