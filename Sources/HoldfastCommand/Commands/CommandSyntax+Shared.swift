extension CommandSyntax.Option {
    static let json = Self.flag("json", "one JSON object a line on standard output")
    static let condition = Self.value(
        "where",
        "'FIELD OP VALUE'",
        repeats: true,
        "only records that meet it; OP is = != < <= > >= contains begins in"
    )
}
