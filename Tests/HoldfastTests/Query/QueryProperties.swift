import Holdfast

/// What has to hold of every query; each says what it finds wrong.
enum QueryProperties {
    static func plansAgree(_ tried: QueryCase) async throws -> String? {
        let store = try await tried.store()
        return try store.read { try mismatch(tried, over: tried.records, in: $0) }
    }

    static func ownWritesAreRead(_ tried: QueryCase) async throws -> String? {
        let store = try await tried.store()
        let records = tried.edited(tried.records, by: tried.edits)
        return try await store.write { transaction in
            for edit in tried.edits { try apply(edit, of: tried, to: &transaction) }
            return try mismatch(tried, over: records, in: transaction)
        }
    }

    static func pagesAreComplete(_ tried: QueryCase) async throws -> String? {
        let store = try await tried.store()
        let expected = tried.naive.rows(over: tried.records)
        let query = tried.query.limit(tried.pageSize)
        return try store.read { transaction in
            for plan in try transaction.plans(for: query) {
                var rows: [JSONObject] = []
                var cursor: QueryCursor?
                repeat {
                    let left = try transaction.count(query.limit(nil).after(cursor), by: plan)
                    if left != expected.count - rows.count { return "\(left) left by\n\(plan)" }
                    let next = query.after(cursor)
                    let page = try transaction.page(next, by: plan, stretch: rows.count % 4 + 1)
                    rows += page.rows
                    cursor = page.next
                } while cursor != nil && rows.count <= expected.count
                if rows != expected { return "pages \(ids(rows, tried)) by\n\(plan)" }
            }
            return nil
        }
    }

    static func pagesStandChanges(_ tried: QueryCase) async throws -> String? {
        let store = try await tried.store()
        let query = tried.query.limit(tried.pageSize)
        var seen: [JSONObject] = []
        var cursor: QueryCursor?
        var edits = tried.edits[...]
        repeat {
            let page = try store.read { try $0.page(query.after(cursor)) }
            seen += page.rows
            cursor = page.next
            guard let edit = edits.popFirst() else { continue }
            try await store.write { try apply(edit, of: tried, to: &$0) }
        } while cursor != nil && seen.count < 1_000
        let touched = Set(tried.edits.map { NaiveQuery.id($0, tried.idField) })
        let stays = { (record: JSONObject) in
            !touched.contains(NaiveQuery.id(record, tried.idField))
        }
        let expected = tried.naive.rows(over: tried.records.filter(stays))
        return seen.filter(stays) == expected ? nil : "pages \(ids(seen, tried))"
    }

    private static func mismatch(
        _ tried: QueryCase,
        over records: [JSONObject],
        in transaction: borrowing some Transaction & ~Copyable
    ) throws -> String? {
        let query = tried.query
        let matches = tried.naive.rows(over: records)
        let expected = query.limit.map { Array(matches.prefix($0)) } ?? matches
        for plan in try transaction.plans(for: query) {
            let rows = try transaction.page(query, by: plan, stretch: 3).rows
            if rows != expected {
                return "\(ids(rows, tried)), not \(ids(expected, tried)) by\n\(plan)"
            }
            let count = try transaction.count(query, by: plan)
            if count != expected.count { return "count \(count) by\n\(plan)" }
        }
        let explained = try transaction.explain(query)
        if try transaction.fetch(query) != expected { return "fetch by\n\(explained)" }
        if try transaction.count(query) != expected.count { return "count" }
        if try transaction.exists(query) == expected.isEmpty { return "exists" }
        let met = records.filter { record in query.filters.allSatisfy { $0.matches(record) } }
        return met.count == matches.count ? nil : "\(met.count) meet the filters"
    }

    private static func apply(
        _ edit: JSONObject,
        of tried: QueryCase,
        to transaction: inout WriteTransaction
    ) throws {
        if QueryCase.deletes(edit) {
            let id = String(decoding: NaiveQuery.id(edit, tried.idField), as: UTF8.self)
            try transaction.delete(RecordID(id), in: RandomWorld.table)
        } else {
            try transaction.put(edit, in: RandomWorld.table)
        }
    }

    private static func ids(_ rows: [JSONObject], _ tried: QueryCase) -> [String] {
        rows.map { String(decoding: NaiveQuery.id($0, tried.idField), as: UTF8.self) }
    }
}
