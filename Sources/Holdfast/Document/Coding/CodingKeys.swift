/// The key of a superclass's value where the type names none.
struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

/// The key of an element: its position.
struct PositionKey: CodingKey {
    let position: Int

    var stringValue: String { "Index \(position)" }
    var intValue: Int? { position }

    init(_ position: Int) { self.position = position }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { position = intValue }
}
