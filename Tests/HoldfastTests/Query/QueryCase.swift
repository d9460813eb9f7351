import Holdfast
import HoldfastTesting

/// A table, its indexes and a query over it: what a property of queries is tried on.
struct QueryCase: Sendable {
    var idField = "id"
    var records: [JSONObject] = []
    /// Records that are put, and ids that are deleted where only an id stands, while it is read.
    var edits: [JSONObject] = []
    var indexes: [Index] = []
    var filters: [ModelFilter] = []
    var order: [FieldOrder] = []
    var limit: Int?
    var pageSize = 3

    var query: Query<JSONObject> {
        var query = Query(RandomWorld.table)
        for filter in filters { query = query.filter(filter.filter) }
        for step in order { query = query.order(by: step.field, step.direction) }
        return query.limit(limit)
    }

    var naive: NaiveQuery { NaiveQuery(idField: idField, filters: filters, order: order) }

    /// A store of the records; half of the indexes were there before them.
    func store() async throws -> Store {
        let store = try await Store(storage: MemoryStorage())
        for index in indexes.prefix(indexes.count / 2) {
            try await store.createIndex(index, on: RandomWorld.table)
        }
        try await store.write { transaction in
            try transaction.declare(RandomWorld.table, idField: idField)
            for record in records { try transaction.put(record, in: RandomWorld.table) }
        }
        for index in indexes.dropFirst(indexes.count / 2) {
            try await store.createIndex(index, on: RandomWorld.table)
        }
        return store
    }

    /// Whether an edit deletes.
    static func deletes(_ edit: JSONObject) -> Bool { edit.count == 1 }

    /// The records after edits.
    func edited(_ records: [JSONObject], by edits: [JSONObject]) -> [JSONObject] {
        edits.reduce(records) { records, edit in
            let id = NaiveQuery.id(edit, idField)
            let others = records.filter { NaiveQuery.id($0, idField) != id }
            return Self.deletes(edit) ? others : others + [edit]
        }
    }
}

extension QueryCase {
    static let shrinker = Shrinker<QueryCase> { $0.simpler }

    private var simpler: [QueryCase] {
        var results: [QueryCase] = []
        func add(_ change: (inout QueryCase) -> Void) {
            var copy = self
            change(&copy)
            results.append(copy)
        }
        for records in records.shortened { add { $0.records = records } }
        for indexes in indexes.shortened { add { $0.indexes = indexes } }
        for filters in filters.shortened { add { $0.filters = filters } }
        for order in order.shortened { add { $0.order = order } }
        for edits in edits.shortened { add { $0.edits = edits } }
        if limit != nil { add { $0.limit = nil } }
        for (position, filter) in filters.enumerated() {
            for simpler in filter.simpler { add { $0.filters[position] = simpler } }
        }
        for (position, record) in records.enumerated() {
            for (name, _) in record where name != idField {
                add { $0.records[position][name] = nil }
            }
        }
        return results
    }
}

extension QueryCase: CustomStringConvertible {
    var description: String {
        let lines = records.map {
            "  put \(String(decoding: (try? $0.serialized()) ?? [], as: UTF8.self))"
        }
        let changes = edits.map {
            "  edit \(String(decoding: (try? $0.serialized()) ?? [], as: UTF8.self))"
        }
        let order = order.map { "\($0.field) \($0.direction)" }.joined(separator: ", ")
        return (lines + changes).joined(separator: "\n")
            + "\n  id \(idField), indexes \(indexes.map(\.description))"
            + "\n  where \(filters.map(\.filter.description).joined(separator: "; "))"
            + "\n  order \(order), limit \(limit.map(String.init) ?? "none"), pages of \(pageSize)"
    }
}
