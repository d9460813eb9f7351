public import Holdfast

/// What becomes of a field that was changed on two replicas since they last agreed.
///
/// Every policy gives the same on every replica, and none asks a device's clock unless ``latest(by:)``
/// names a field that the app fills from one.
public struct FieldPolicy: Sendable {
    package enum Kind: Sendable {
        case serverOrder
        case serverWins
        case latest(String)
        case maximum
        case minimum
        case counter
        case set
        case text
        case keepBoth
        case ask
        case custom(@Sendable (FieldConflict) -> JSONValue?)
    }

    package let kind: Kind

    /// The edit that reaches the server last wins: the default.
    public static let serverOrder = Self(kind: .serverOrder)
    /// What the server has wins.
    public static let serverWins = Self(kind: .serverWins)
    /// The greater value wins, in the order of queries.
    public static let maximum = Self(kind: .maximum)
    /// The smaller value wins, in the order of queries.
    public static let minimum = Self(kind: .minimum)
    /// A number that edits add to: differences are sent, and all of them count.
    public static let counter = Self(kind: .counter)
    /// An array as a set: what either side added or removed since is added and removed.
    public static let set = Self(kind: .set)
    /// A text whose lines are merged; where both sides changed the same lines, the server's order
    /// decides.
    public static let text = Self(kind: .text)
    /// The server's value stays, and the record as it was here becomes a copy with an id of its own.
    public static let keepBoth = Self(kind: .keepBoth)
    /// Both versions wait until the app decides.
    public static let ask = Self(kind: .ask)

    /// The side with the later value in `field` wins; it is as good as the clock that filled it.
    public static func latest(by field: String) -> Self { Self(kind: .latest(field)) }

    /// What a function of the app makes of the three values; `nil` removes the field.
    ///
    /// It has to give the same for the same values, on every replica and in every version of the
    /// app, and should do nothing else.
    public static func custom(
        _ merge: @escaping @Sendable (FieldConflict) -> JSONValue?
    ) -> Self {
        Self(kind: .custom(merge))
    }
}

extension FieldPolicy: CustomStringConvertible {
    /// The policy's name, as the ledger has it.
    public var description: String {
        switch kind {
        case .serverOrder: "serverOrder"
        case .serverWins: "serverWins"
        case .latest(let field): "latest(by: \(field))"
        case .maximum: "maximum"
        case .minimum: "minimum"
        case .counter: "counter"
        case .set: "set"
        case .text: "text"
        case .keepBoth: "keepBoth"
        case .ask: "ask"
        case .custom: "custom"
        }
    }
}
