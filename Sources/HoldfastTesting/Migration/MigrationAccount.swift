import Holdfast

/// Looks for what a store held before a migration in what it holds afterwards.
struct MigrationAccount {
    let before: MigrationState
    let after: MigrationState
    let expectations: [MigrationExpectation]

    /// What is lost without an expectation that says so, the first in the order of tables and ids.
    var violation: MigrationViolation? {
        for (key, record) in before.records.sorted(by: { $0.key < $1.key }) {
            guard let finding = finding(record, key) else { continue }
            return MigrationViolation(finding, table: key.table, id: key.id)
        }
        return nil
    }

    private func finding(_ record: JSONObject, _ key: MigrationState.Key) -> String? {
        guard let place = place(of: key) else {
            return after.records[key] == nil
                ? nil : "The record is said to be removed, and is there."
        }
        guard let result = after.records[place] else {
            return "The record is gone, and no expectation says so."
        }
        let fields = unaccounted(of: record, at: key, in: result, at: place)
        if fields.isEmpty { return nil }
        let names = fields.joined(separator: ", ")
        return "The migration changes or loses \(names) of the record, and no expectation says so."
    }

    /// Where a record is expected to be; `nil` when it is expected to be gone.
    private func place(of key: MigrationState.Key) -> MigrationState.Key? {
        let all = expectations.filter { $0.origin.table == key.table && $0.fields == nil }
        let expectation =
            all.first { $0.origin.id == key.id } ?? all.first { $0.origin.id == nil }
        guard let expectation else { return key }
        return expectation.destination.map { destination in
            MigrationState.Key(table: destination.table, id: destination.id ?? key.id)
        }
    }

    /// The fields of a record that are neither as they were, nor under another name, nor expected
    /// to change.
    private func unaccounted(
        of record: JSONObject,
        at key: MigrationState.Key,
        in result: JSONObject,
        at place: MigrationState.Key
    ) -> [String] {
        let expected = expectations.filter { $0.origin.table == key.table }.compactMap(\.fields)
        var added = result.filter { record[$0.name] == nil }.map(\.value)
        return record.compactMap { name, value in
            if result[name] == value || expected.contains(where: { $0.contains(name) }) {
                return nil
            }
            let isID = Self.isID(value, key.id)
            func isSame(_ other: JSONValue) -> Bool {
                other == value || isID && Self.isID(other, place.id)
            }
            if let other = result[name] { return isSame(other) ? nil : name }
            guard let renamed = added.firstIndex(where: isSame) else { return name }
            added.remove(at: renamed)
            return nil
        }
    }

    private static func isID(_ value: JSONValue, _ id: RecordID) -> Bool {
        switch value {
        case .string(let text): text == id.text
        case .integer(let number): RecordID(number) == id
        default: false
        }
    }
}
