extension CommandSyntax.Option {
    static let json = Self.flag("json", "one JSON object a line on standard output")

    /// The options that ``ParsedArguments/filters()`` reads.
    static let conditions = [
        Self.value(
            "where",
            "'FIELD OP VALUE'",
            repeats: true,
            "only records that meet it; OP is = != < <= > >= contains begins in"
        ),
        .value("any", "'FIELD OP VALUE'", repeats: true, "only records that meet one of these"),
        .value("not", "'FIELD OP VALUE'", repeats: true, "only records that do not meet it"),
        .value("search", "TEXT", "only records with every word of TEXT, the last as typed so far"),
        .value("in", "FIELD[,FIELD...]", "the fields that --search looks in"),
    ]
}
