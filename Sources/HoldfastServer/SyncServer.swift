public import Holdfast
import HoldfastStorage
public import HoldfastSync

/// A server of the sync protocol over a store: its logic, without a network.
///
/// Over `MemoryStorage` it is the server of tests, over a journal an embedded one.
///
/// ```swift
/// let server = try await SyncServer(store: store)
/// let engine = SyncEngine(store: local, transport: LocalTransport(server: server))
/// ```
///
/// Records stand in the store's ordinary tables, where ordinary queries read them. They are written
/// through the server alone, by ``push(_:principal:)`` and ``write(as:_:)``, so that each write gets
/// a version and every client is told: the store itself refuses them with `.served`. Every method
/// may be called from any task; transactions run one at a time.
public final class SyncServer: Sendable {
    /// The store.
    public let store: Store
    /// What the server decides for its app.
    public let configuration: SyncServerConfiguration
    let parents: ParentRules
    /// The form of all records; `nil` where the store has no schema, and each has its own.
    let form: Int?
    let listeners = PokeRegistry()

    /// Serves a store.
    ///
    /// A store that was never served becomes a dataset with a name of its own, and its records get
    /// versions. From then on it is marked as served, for ever.
    ///
    /// - Parameters:
    ///   - store: The store; nothing else may write its records.
    ///   - configuration: What the server decides for its app.
    /// - Throws: `StoreError`; the store is as it was, or served.
    /// - Complexity: O(records) when the store was never served.
    public init(
        store: Store,
        configuration: SyncServerConfiguration = SyncServerConfiguration()
    ) async throws {
        self.store = store
        self.configuration = configuration
        form = store.schema?.form
        parents = ParentRules(configuration.parents, schema: store.schema)
        try await store.markServed()
        try await adopt()
    }

    // MARK: Requests

    /// Who is there, and what it allows.
    ///
    /// - Parameter principal: Who asks.
    /// - Returns: The answer.
    /// - Throws: ``ServerRefusal``.
    public func hello(principal: Principal) async throws(ServerRefusal) -> ServerHello {
        let scopes = try scopes(of: principal)
        return try ServerRefusal.refusing {
            try store.read { transaction in
                let dataset = try Self.dataset(transaction)
                return ServerHello(
                    dataset: dataset.dataset,
                    epoch: dataset.epoch,
                    epochStart: dataset.epochStart,
                    schemas: configuration.schemas,
                    scopes: scopes,
                    maximumOperations: configuration.maximumOperations,
                    maximumBytes: configuration.maximumBytes,
                    maximumPage: configuration.maximumPage,
                    keyRetention: configuration.keyRetention,
                    floor: dataset.floor
                )
            }
        }
    }

    // MARK: Writing

    /// Runs a transaction of the server's own, such as an administrator's edit or a nightly job.
    ///
    /// - Parameters:
    ///   - principal: For whom; it reaches the hook that says which scope a record is in.
    ///   - body: The transaction. A throw rolls everything back.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or `StoreError`; nothing was written.
    @discardableResult
    public func write<Result: Sendable>(
        as principal: Principal? = nil,
        _ body: @Sendable (inout ServerTransaction) throws -> Result
    ) async throws -> Result {
        try await run(author: nil, principal: principal, body)
    }

    /// Runs one transaction, stores what it wrote, and tells who listens.
    func run<Result: Sendable>(
        author: ClientID?,
        principal: Principal?,
        _ body: @Sendable (inout ServerTransaction) throws -> Result
    ) async throws -> Result {
        let (result, scopes) = try await store.writeUnrecorded { transaction in
            try ServerTransaction.run(
                &transaction,
                of: self,
                author: author,
                principal: principal,
                body
            )
        }
        if !scopes.isEmpty { tell(scopes) }
        return result
    }

    // MARK: Checks

    /// The scopes of a principal, whose names can be ones.
    func scopes(of principal: Principal) throws(ServerRefusal) -> [ScopeName] {
        try ServerRefusal.refusing {
            guard WireLimits.isName(principal.id, atMost: WireLimits.nameBytes) else {
                throw ServerRefusal(403, ProblemType.forbidden, "Nobody has this name.")
            }
            return try configuration.scopes(principal).map(SyncServerConfiguration.checked)
        }
    }

    /// Refuses a request of a client that believes in another dataset.
    func check(
        _ client: ClientID,
        _ dataset: DatasetID?,
        against known: DatasetRecord
    ) throws {
        guard WireLimits.isName(client.text) else {
            throw ServerRefusal(400, ProblemType.invalid, "The client's name is not valid.")
        }
        guard let dataset, dataset != known.dataset else { return }
        throw ServerRefusal(
            409,
            ProblemType.datasetChanged,
            "The server has another dataset than the client was made with."
        )
    }

    static func dataset(
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws -> DatasetRecord {
        guard let dataset = try transaction.datasetRecord() else { throw MetadataReader.damage }
        return dataset
    }
}

extension ServerTransaction {
    /// Runs `body` in a transaction of the store, and stores what it wrote.
    static func run<Result>(
        _ transaction: inout WriteTransaction,
        of server: SyncServer,
        author: ClientID?,
        principal: Principal?,
        _ body: (inout ServerTransaction) throws -> Result
    ) throws -> (Result, Set<ScopeName>) {
        let dataset = try SyncServer.dataset(transaction)
        var edit = ServerTransaction(
            transaction,
            dataset,
            of: server,
            author: author,
            principal: principal
        )
        do {
            let result = try body(&edit)
            let scopes = try edit.store()
            transaction = edit.end()
            return (result, scopes)
        } catch {
            transaction = edit.end()
            throw error
        }
    }
}
