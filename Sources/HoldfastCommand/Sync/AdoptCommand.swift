import Holdfast
import HoldfastSync

/// `hold adopt`.
struct AdoptCommand: Command {
    static let syntax = CommandSyntax(
        "adopt",
        "copy the records of another store into a synced one",
        positionals: [.required("FROM"), .required("STORE")],
        options: [.json],
        discussion: """
            What was made before signing in becomes the account's. A record whose id is in STORE \
            stays as it is there; FROM is not changed. When it is interrupted, call it again.
            """,
        example: "hold adopt anonymous.holdfast account.holdfast"
    )

    private let source: String
    private let path: String

    init(_ arguments: ParsedArguments) {
        source = arguments.positional(0)
        path = arguments.positional(1)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let count = try await StoreSession.run(at: source, .read) { source in
            try await StoreSession.run(at: path, .write, writesRecords: true) { store in
                guard try store.read({ try $0.storeLink() }).isLinked else {
                    throw Failure("\(path) is not synced; hold sync STORE URL links it")
                }
                return try await store.adopt(recordsOf: source)
            }
        }
        if console.isJSON {
            try console.append(["adopted": .integer(Int64(count))])
        } else {
            console.message("adopted \(count.counted("record"))")
        }
        return .done
    }
}
