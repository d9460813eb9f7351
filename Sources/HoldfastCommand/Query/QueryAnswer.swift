import Holdfast

/// What `hold query` prints of a query.
enum QueryAnswer {
    case records
    case plan
    case count
    case figure(Figure, field: String)

    /// What is worked out of one field.
    enum Figure: String, CaseIterable {
        case min, max, sum, average
    }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        var answers: [QueryAnswer] = arguments.has("count") ? [.count] : []
        for figure in Figure.allCases {
            guard let field = arguments.value(figure.rawValue) else { continue }
            answers.append(.figure(figure, field: field))
        }
        if answers.count > 1 {
            throw UsageError("--count, --min, --max, --sum and --average go one at a time")
        }
        self = arguments.has("explain") ? .plan : answers.first ?? .records
    }

    func print(
        _ query: Query<JSONObject>,
        _ transaction: borrowing ReadTransaction,
        _ console: Console
    ) throws {
        switch self {
        case .records: try printRecords(query, transaction, console)
        case .plan:
            let plan = try transaction.explain(query).description
            if console.isJSON { return try console.append(["plan": .string(plan)]) }
            console.output.append(plan + "\n")
        case .count:
            let count = try transaction.count(query)
            try print("count", .integer(Int64(count)), console)
        case .figure(let figure, let field):
            let value = try figure.value(of: field, in: query, transaction)
            try print(figure.rawValue, value, console)
        }
    }

    private func print(_ name: String, _ value: JSONValue, _ console: Console) throws {
        if console.isJSON { return try console.append([name: value]) }
        console.output.append(String(decoding: try value.serialized(), as: UTF8.self) + "\n")
    }

    private func printRecords(
        _ query: Query<JSONObject>,
        _ transaction: borrowing ReadTransaction,
        _ console: Console
    ) throws {
        var printer = RecordPrinter(console)
        let next = try transaction.forEach(query) { _, record in
            try printer.print(record)
            return true
        }
        try printer.finish()
        if let next { console.message("next: \(next)") }
    }
}

extension QueryAnswer.Figure {
    fileprivate func value(
        of field: String,
        in query: Query<JSONObject>,
        _ transaction: borrowing ReadTransaction
    ) throws -> JSONValue {
        switch self {
        case .min: try transaction.minimum(of: field, in: query) ?? .null
        case .max: try transaction.maximum(of: field, in: query) ?? .null
        case .sum: try transaction.sum(of: field, in: query)
        case .average: try transaction.average(of: field, in: query).map { .double($0) } ?? .null
        }
    }
}
