/// Code that is given bytes of any kind: it must not trap on them, and must not lie about them.
public struct FuzzTarget: Sendable {
    /// What it is called on the command line.
    public let name: String
    /// Inputs to begin with, which lead deep into the code.
    public let seeds: [[UInt8]]
    /// Tries one input; it throws where the code has lied.
    public let run: @Sendable ([UInt8]) async throws -> Void

    init(
        _ name: String,
        seeds: [[UInt8]],
        _ run: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.name = name
        self.seeds = seeds
        self.run = run
    }

    /// The names of all targets.
    public static let names = ["json", "document", "store", "forged"]

    /// Makes a target; `nil` where none has the name.
    public static func named(_ name: String) async throws -> FuzzTarget? {
        switch name {
        case "json": json
        case "document": try await document()
        case "store": try await store()
        case "forged": try await forged()
        default: nil
        }
    }
}

/// A lie: what was found, and nothing of the input, which the caller has.
struct FuzzFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
