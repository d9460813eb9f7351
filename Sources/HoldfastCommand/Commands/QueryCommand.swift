import Holdfast

/// `hold query`.
struct QueryCommand: Command {
    static let syntax = CommandSyntax(
        "query",
        "print the records that meet conditions",
        positionals: [.required("STORE"), .required("TABLE")],
        options: CommandSyntax.Option.conditions + [
            .value("order", "FIELD[:asc|:desc]", repeats: true, "order by a field; else by id"),
            .value("limit", "N", "at most N records"),
            .value("after", "CURSOR", "go on behind the page that gave CURSOR"),
            .flag("count", "print only how many records the query gives"),
            .value("min", "FIELD", "print only the field's least value that is not null"),
            .value("max", "FIELD", "print only the field's greatest value"),
            .value("sum", "FIELD", "print only the sum of the field's numbers"),
            .value("average", "FIELD", "print only the mean of the field's numbers"),
            .flag("explain", "print how the query would run, and run nothing"),
            .json,
        ],
        discussion: """
            VALUE is JSON if it parses, else text; one that begins with {, [ or " has to parse. A \
            missing field equals null. Values order as null < bool < number < text < array < \
            object, ties by id; an order ascends without :asc or :desc, and a field whose name \
            has a colon needs one of them. When a limit leaves records over, the next page's \
            cursor goes to standard error as `next: CURSOR`. --count counts what the query would \
            print: at most --limit records, and only those behind --after; --min, --max, --sum and \
            --average look at the same records. --search is fast with `hold index --words` over \
            the same fields.
            """,
        example: """
            hold query notes.holdfast notes --where 'flour >= 500' --order title --limit 20
            """
    )

    private let path: String
    private let query: Query<JSONObject>
    private let answer: QueryAnswer

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        var query = Query(try arguments.table(1))
        for filter in try arguments.filters() { query = query.filter(filter) }
        for text in arguments.all("order") {
            let order = try Self.order(text)
            query = query.order(by: order.field, order.direction)
        }
        query = query.limit(try arguments.number("limit", in: 0...Int.max))
        self.query = query.after(arguments.value("after").map(QueryCursor.init))
        answer = try QueryAnswer(arguments)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        do {
            try await StoreSession.run(at: path, .read, usesIndexes: true) { store in
                try store.read { transaction in
                    guard try transaction.description(of: query.table) != nil else {
                        throw Failure.noTable(query.table)
                    }
                    try answer.print(query, transaction, console)
                }
            }
        } catch let error as StoreError
            where error.code == .invalidCursor || error.code == .invalidQuery
        {
            throw UsageError(error.message)
        }
        return .done
    }

    private static func order(_ text: String) throws(UsageError) -> FieldOrder {
        let colon = text.lastIndex(of: ":") ?? text.endIndex
        let field = String(text[..<colon])
        if field.isEmpty { throw UsageError("--order takes a field") }
        switch text[colon...] {
        case "", ":asc": return FieldOrder(field: field, direction: .ascending)
        case ":desc": return FieldOrder(field: field, direction: .descending)
        default:
            throw UsageError(
                "--order '\(text)' ends neither in :asc nor in :desc;"
                    + " a field whose name has a colon needs one of them behind it"
            )
        }
    }
}
