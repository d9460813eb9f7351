package import Holdfast
package import HoldfastSync

/// An app for simulations of syncing itself: every policy, references, groups, counters, and ids
/// that several devices make.
package enum StandardWorkload {
    package static let lists: TableName = "lists"
    package static let tasks: TableName = "tasks"
    package static let days: TableName = "days"
    package static let messages: TableName = "messages"

    private static let rules: [(TableName, SyncRules)] = [
        (lists, SyncRules(fields: ["shared": .set], deletes: .deleteWins)),
        (
            tasks,
            SyncRules(
                fields: [
                    "votes": .counter, "tags": .set, "notes": .text, "best": .maximum,
                    "least": .minimum, "state": .serverWins, "place": .latest(by: "placedAt"),
                    "owner": .ask, "draft": .keepBoth,
                    "mood": .custom { conflict in
                        [conflict.local, conflict.remote].compactMap(\.self)
                            .max { $0.precedes($1) }
                    },
                ]
            )
        ),
        (days, SyncRules(fields: ["steps": .counter])),
        (messages, SyncRules(kind: .immutable)),
    ]

    /// The app's first schema.
    package static let schema = schema(version: 1)

    /// The app's next schema: the same tables, one of them with one more index.
    package static let nextSchema = schema(version: 2)

    private static func schema(version: Int) -> Schema {
        Schema(version: version) {
            for (table, rules) in rules { declared(table, version).synced(rules) }
        }
    }

    private static func declared(_ table: TableName, _ version: Int) -> Table {
        Table(table) {
            if table == tasks { Reference("list", to: lists, onDelete: .cascade) }
            if table == days, version > 1 { Index("title") }
        }
    }

    /// The scope of a record: messages have one of their own, to which a task can be moved; everything
    /// else shares one.
    package static func scope(of record: RecordReference, _ object: JSONObject) -> ScopeName {
        record.table == messages || object["space"] == "chat"
            ? ScopeName("chat") : ScopeName("home")
    }

    package static let scopes = [ScopeName("home"), ScopeName("chat")]

    /// The simulation of this app.
    package static func simulation(_ options: SimulationOptions) -> Simulation {
        Simulation(schema: schema, options: options) { operations }
            .upgrading(to: nextSchema)
            .dividing(into: scopes) { scope(of: $0, $1) }
    }

    /// What a person can do.
    package static let operations: [SimulatedOperation] = [
        SimulatedOperation("makes a list", weight: 2) { transaction, person in
            try transaction.put(
                ["id": .string(person.id().text), "title": .string(person.word())],
                in: lists
            )
        },
        SimulatedOperation("renames a list", weight: 2) { transaction, person in
            try change(lists, in: &transaction, &person) { list, person in
                list["title"] = .string(person.word())
            }
        },
        SimulatedOperation("shares a list") { transaction, person in
            try change(lists, in: &transaction, &person) { list, person in
                toggle("shared", in: &list, &person)
            }
        },
        SimulatedOperation("deletes a list") { transaction, person in
            try delete(from: lists, in: &transaction, &person)
        },
        SimulatedOperation("makes a task", weight: 8) { transaction, person in
            try transaction.put(task(in: &transaction, &person), in: tasks)
        },
        SimulatedOperation("edits a task", weight: 14) { transaction, person in
            try change(tasks, in: &transaction, &person, edit)
        },
        SimulatedOperation("edits a task twice", weight: 3) { transaction, person in
            try change(tasks, in: &transaction, &person) { task, person in
                edit(&task, &person)
                edit(&task, &person)
            }
        },
        SimulatedOperation("clears a field", weight: 2) { transaction, person in
            try change(tasks, in: &transaction, &person) { task, person in
                let fields = ["title", "place", "state", "mood", "draft"]
                task[fields[person.number(below: fields.count)]] = nil
            }
        },
        SimulatedOperation("moves a task", weight: 2) { transaction, person in
            try change(tasks, in: &transaction, &person) {
                $0["space"] = $0["space"] == "chat" ? nil : "chat"
            }
        },
        SimulatedOperation("deletes a task", weight: 3) { transaction, person in
            try delete(from: tasks, in: &transaction, &person)
        },
        SimulatedOperation("moves votes", weight: 2, isAtomicOnServer: true) {
            transaction,
            person in
            try change(tasks, in: &transaction, &person) { $0["votes"] = sum($0["votes"], -1) }
            try change(tasks, in: &transaction, &person) { $0["votes"] = sum($0["votes"], 1) }
        },
        SimulatedOperation("renames two tasks", weight: 1, isAtomicOnServer: true) {
            transaction,
            person in
            for _ in 0..<2 {
                try change(tasks, in: &transaction, &person) { task, person in
                    task["title"] = .string(person.word())
                }
            }
        },
        SimulatedOperation("writes the day's page", weight: 4) { transaction, person in
            let id = "day \(person.number(below: 4))"
            var day = try transaction.get(RecordID(id), in: days) ?? ["id": .string(id)]
            day["title"] = .string(person.word())
            try transaction.put(day, in: days)
        },
        SimulatedOperation("walks", weight: 4) { transaction, person in
            let id = "day \(person.number(below: 4))"
            guard var day = try transaction.get(RecordID(id), in: days) else { return }
            day["steps"] = sum(day["steps"], Int64(1 + person.number(below: 100)))
            try transaction.put(day, in: days)
        },
        SimulatedOperation("tears a day's page out", weight: 1) { transaction, person in
            let id = try RecordID("day \(person.number(below: 4))")
            try transaction.delete(id, in: days)
        },
        SimulatedOperation("makes a task and thinks again", weight: 1) { transaction, person in
            let id = try transaction.put(task(in: &transaction, &person), in: tasks).id
            if person.happens(onceIn: 2) { try transaction.delete(id, in: tasks) }
        },
        SimulatedOperation("sends a message", weight: 4) { transaction, person in
            try transaction.put(
                ["id": .string(person.id().text), "text": .string(person.word())],
                in: messages
            )
        },
        SimulatedOperation("takes a message back", weight: 1) { transaction, person in
            try delete(from: messages, in: &transaction, &person)
        },
    ]
}

extension StandardWorkload {
    private static func task(
        in transaction: inout WriteTransaction,
        _ person: inout SimulatedPerson
    ) throws -> JSONObject {
        var task: JSONObject = [
            "id": .string(person.id().text), "title": .string(person.word()), "votes": 0,
            "tags": [], "notes": "first line\nsecond line\nthird line",
        ]
        if person.happens(onceIn: 2) {
            task["list"] = try person.choose(from: lists, in: transaction)?["id"]
        }
        return task
    }

    /// Changes one of the fields, each of which has another policy.
    private static func edit(_ task: inout JSONObject, _ person: inout SimulatedPerson) {
        switch person.number(below: 13) {
        case 0, 1, 2: task["title"] = .string(person.word())
        case 3, 4: task["votes"] = sum(task["votes"], Int64(1 + person.number(below: 9)))
        case 5: toggle("tags", in: &task, &person)
        case 6: editLines(of: &task, &person)
        case 7: task["best"] = .integer(Int64(person.number(below: 1 << 40)))
        case 8: task["least"] = .integer(Int64(person.number(below: 1 << 40)))
        case 9: task["state"] = .string(person.word())
        case 10:
            task["place"] = .string(person.word())
            task["placedAt"] = .integer(person.milliseconds)
        case 11: task["mood"] = .string(person.word())
        default:
            let field =
                person.happens(onceIn: 3)
                ? (person.happens(onceIn: 2) ? "owner" : "draft")
                : "title"
            task[field] = .string(person.word())
        }
    }

    private static func editLines(of task: inout JSONObject, _ person: inout SimulatedPerson) {
        guard case .string(let notes)? = task["notes"] else { return }
        var lines = notes.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = person.number(below: lines.count + 1)
        if place < lines.count, person.happens(onceIn: 3) {
            lines[place] = person.word()
        } else {
            lines.insert(person.word(), at: place)
        }
        if lines.count > 12 { lines.removeFirst() }
        task["notes"] = .string(lines.joined(separator: "\n"))
    }

    private static func toggle(
        _ field: String,
        in record: inout JSONObject,
        _ person: inout SimulatedPerson
    ) {
        var elements: [JSONValue] = []
        if case .array(let stored)? = record[field] { elements = stored }
        if elements.count > 4 || (!elements.isEmpty && person.happens(onceIn: 3)) {
            elements.remove(at: person.number(below: elements.count))
        } else {
            elements.append(.string(person.word()))
        }
        record[field] = .array(elements)
    }

    private static func sum(_ value: JSONValue?, _ amount: Int64) -> JSONValue {
        guard case .integer(let number)? = value else { return .integer(amount) }
        return .integer(number &+ amount)
    }

    private static func change(
        _ table: TableName,
        in transaction: inout WriteTransaction,
        _ person: inout SimulatedPerson,
        _ body: (inout JSONObject, inout SimulatedPerson) -> Void
    ) throws {
        guard var record = try person.choose(from: table, in: transaction) else { return }
        body(&record, &person)
        try transaction.put(record, in: table)
    }

    private static func change(
        _ table: TableName,
        in transaction: inout WriteTransaction,
        _ person: inout SimulatedPerson,
        _ body: (inout JSONObject) -> Void
    ) throws {
        try change(table, in: &transaction, &person) { record, _ in body(&record) }
    }

    private static func delete(
        from table: TableName,
        in transaction: inout WriteTransaction,
        _ person: inout SimulatedPerson
    ) throws {
        let record = try person.choose(from: table, in: transaction)
        guard case .string(let id)? = record?["id"] else { return }
        try transaction.delete(RecordID(id), in: table)
    }
}
