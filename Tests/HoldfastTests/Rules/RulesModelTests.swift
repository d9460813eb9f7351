import Holdfast
import HoldfastTesting
import Testing

/// What a store with references and unique indexes should do, by looking at every record each time.
private struct Model {
    struct Refusal: Error, Equatable { let code: StoreError.Code }

    let tables: [Table]
    var records: [TableName: [RecordID: JSONObject]] = [:]

    mutating func put(_ record: JSONObject, _ id: RecordID, in table: Table) throws {
        for index in table.indexes where index.kind == .unique {
            let values = index.fields.map { record[$0] ?? .null }
            if values.contains(.null) { continue }
            for (other, stored) in records[table.name] ?? [:] where other != id {
                if index.fields.map({ stored[$0] ?? .null }) == values {
                    throw Refusal(code: .uniqueConflict)
                }
            }
        }
        records[table.name, default: [:]][id] = record
    }

    mutating func delete(_ id: RecordID, in table: TableName) throws {
        guard records[table]?[id] != nil else { return }
        var gone: [TableName: Set<RecordID>] = [table: [id]]
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            forEachReferrer(to: gone) { source, reference, id in
                guard reference.onDelete == .cascade else { return }
                if gone[source, default: []].insert(id).inserted { isGrowing = true }
            }
        }
        var isHeld = false
        var changed = records
        forEachReferrer(to: gone) { source, reference, id in
            if gone[source]?.contains(id) == true { return }
            if reference.onDelete == .restrict { isHeld = true }
            if reference.onDelete == .nullify {
                changed[source]?[id]?[reference.field] = .null
            }
        }
        if isHeld { throw Refusal(code: .stillReferenced) }
        for (table, ids) in gone { for id in ids { changed[table]?[id] = nil } }
        records = changed
    }

    private func forEachReferrer(
        to gone: [TableName: Set<RecordID>],
        _ visit: (TableName, Reference, RecordID) -> Void
    ) {
        for table in tables {
            for reference in table.references {
                for (id, record) in records[table.name] ?? [:] {
                    guard let target = Self.id(in: record[reference.field]) else { continue }
                    if gone[reference.target]?.contains(target) == true {
                        visit(table.name, reference, id)
                    }
                }
            }
        }
    }

    var hasDanglingReference: Bool {
        tables.contains { table in
            table.references.contains { reference in
                (records[table.name] ?? [:]).values.contains { record in
                    guard let id = Self.id(in: record[reference.field]) else { return false }
                    return records[reference.target]?[id] == nil
                }
            }
        }
    }

    static func id(in value: JSONValue?) -> RecordID? {
        switch value {
        case .string(let text)?: try? RecordID(text)
        case .integer(let number)?: RecordID(number)
        default: nil
        }
    }
}

@Suite struct RulesModelTests {
    private static let names: [TableName] = ["a", "b", "c"]

    private static func schema(_ random: inout SplitMix64) -> Schema {
        var tables: [Table] = []
        for name in names {
            let references = ["r", "s"].prefix(random.next(below: 3)).compactMap { field in
                try? Reference(
                    field: field,
                    to: names[random.next(below: 3)],
                    onDelete: Reference.DeleteRule.allCases[random.next(below: 3)]
                )
            }
            let indexes = [Index("u", unique: true), Index("u", "r", unique: true)]
            tables.append(
                Table(
                    name,
                    indexes: Array(indexes.shuffled(using: &random).prefix(random.next(below: 2))),
                    references: references
                )
            )
        }
        return Schema(version: 1) { tables }
    }

    private static func value(_ random: inout SplitMix64) -> JSONValue {
        let number = Int64(random.next(below: 7))
        return [.null, .integer(number), .string("\(number)"), .string("\(number)")][
            random.next(below: 4)
        ]
    }

    /// One random transaction on the store and on the model.
    private static func step(
        _ store: Store,
        _ model: inout Model,
        _ random: SplitMix64
    ) async throws -> SplitMix64 {
        let before = model
        var seed = random
        let next = seed.next()
        do {
            model = try await store.write { [model] transaction in
                var model = model
                var random = random
                for _ in 0...random.next(below: 4) {
                    try Self.write(&transaction, &model, &random)
                }
                return model
            }
            #expect(!model.hasDanglingReference)
        } catch let error as StoreError where error.code == .missingReference {
            model = before
        }
        return SplitMix64(seed: next)
    }

    private static func write(
        _ transaction: inout WriteTransaction,
        _ model: inout Model,
        _ random: inout SplitMix64
    ) throws {
        let table = model.tables[random.next(below: 3)]
        let id = RecordID(Int64(random.next(below: 7)))
        let isSavepoint = random.next(below: 5) == 0
        let isDelete = random.next(below: 3) == 0
        let number = JSONValue.integer(Int64(id.text) ?? 0)
        var record: JSONObject = ["id": random.next(below: 2) == 0 ? .string(id.text) : number]
        for field in ["r", "s", "u"] where random.next(below: 4) > 0 {
            record[field] = value(&random)
        }
        var changed = model
        var expected: StoreError.Code?
        do {
            if isDelete {
                try changed.delete(id, in: table.name)
            } else {
                try changed.put(record, id, in: table)
            }
        } catch let refusal as Model.Refusal {
            expected = refusal.code
        }
        var found: StoreError.Code?
        do {
            try transaction.attempt { transaction in
                if isDelete {
                    try transaction.delete(id, in: table.name)
                } else {
                    try transaction.put(record, in: table.name)
                }
                if isSavepoint { throw CancellationError() }
            }
            model = changed
        } catch let error as StoreError {
            found = error.code
        } catch is CancellationError {}
        #expect(found == expected)
    }

    private static func state(of store: Store) throws -> [TableName: [RecordID: JSONObject]] {
        try store.read { (transaction) throws in
            var records: [TableName: [RecordID: JSONObject]] = [:]
            for table in names {
                try transaction.forEach(Query(table)) { id, object in
                    records[table, default: [:]][id] = object
                    return true
                }
            }
            return records
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func aStoreDoesWithItsRulesWhatALookAtEveryRecordWould(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let schema = Self.schema(&random)
        let store = try await Store(
            storage: MemoryStorage(),
            schema: schema,
            usesIndexes: seed % 3 > 0
        )
        var model = Model(tables: schema.tables)
        for _ in 0..<60 {
            random = try await Self.step(store, &model, random)
            let stored = try Self.state(of: store)
            let expected = model.records.filter { !$0.value.isEmpty }
            #expect(stored == expected, "seed \(seed), \(schema.tables)")
            if stored != expected { return }
        }
    }
}
