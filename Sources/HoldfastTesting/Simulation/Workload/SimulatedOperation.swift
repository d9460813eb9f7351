public import Holdfast

/// Something that a person does in the app, as a transaction.
///
/// ```swift
/// SimulatedOperation("rename a note") { transaction, person in
///     guard var note = try person.choose(Note.self, in: transaction) else { return }
///     note.title = person.word()
///     try transaction.put(note)
/// }
/// ```
public struct SimulatedOperation: Sendable {
    /// The transaction's body.
    ///
    /// An error rolls it back and is no finding.
    public typealias Body =
        @Sendable (inout WriteTransaction, inout SimulatedPerson) throws -> Void

    /// What it is called in a script.
    public let name: String
    /// How often it is done, beside the others.
    public let weight: Int
    /// Whether the server has to apply all of it or nothing.
    public let isAtomicOnServer: Bool
    let body: Body

    /// An operation.
    ///
    /// - Parameters:
    ///   - name: What it is called, unique in the simulation.
    ///   - weight: How often it is done, beside the others: 1 or more.
    ///   - isAtomicOnServer: Whether the server has to apply all of it or nothing.
    ///   - body: What it does; it draws from the person alone.
    public init(
        _ name: String,
        weight: Int = 1,
        isAtomicOnServer: Bool = false,
        _ body: @escaping Body
    ) {
        self.name = name
        self.weight = max(1, weight)
        self.isAtomicOnServer = isAtomicOnServer
        self.body = body
    }
}
