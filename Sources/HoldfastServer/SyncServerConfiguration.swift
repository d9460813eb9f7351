public import Holdfast
public import HoldfastSync

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a server decides for its app: who sees and may do what, and within which limits.
///
/// Every closure runs inside of the server's transactions, one at a time, on the cooperative pool:
/// it should be quick and do nothing outside. It may read the store (`store.read`), which shows the
/// state before the transaction.
public struct SyncServerConfiguration: Sendable {
    /// Runs an action: reads and writes through the transaction.
    ///
    /// What it throws rolls its writes back: a `SyncProblem` rejects the action with that problem,
    /// anything else fails the request, and the client tries again.
    public typealias ActionHandler =
        @Sendable (
            _ call: ActionCall,
            _ transaction: inout ServerTransaction
        ) throws -> Void

    // MARK: Scopes

    /// The scope that a record is in; `principal` is `nil` for what the server writes itself.
    ///
    /// It has to follow from the record alone, as far as a record's scope is to stay the same
    /// whoever writes it.
    public var scope:
        @Sendable (
            _ record: RecordReference,
            _ object: JSONObject,
            _ principal: Principal?
        ) -> ScopeName = { _, _, _ in ScopeName("all") }

    /// The scopes that a principal sees.
    public var scopes: @Sendable (_ principal: Principal) throws -> [ScopeName] = { _ in
        [ScopeName("all")]
    }

    // MARK: Refusing

    /// Whether a principal may do this; a problem rejects the mutation.
    ///
    /// It is asked about records in scopes that the principal sees; everything else is refused
    /// without it.
    public var authorize:
        @Sendable (
            _ principal: Principal,
            _ operation: PushOperation,
            _ current: JSONObject?
        ) -> SyncProblem? = { _, _, _ in nil }

    /// Whether a record may be as it is about to be written, which the hook may correct.
    ///
    /// A problem rejects the mutation.
    public var validate:
        @Sendable (
            _ record: RecordReference,
            _ object: inout JSONObject,
            _ principal: Principal
        ) -> SyncProblem? = { _, _, _ in nil }

    /// Whether there is room for a record of a principal; a problem puts the mutation off.
    public var quota:
        @Sendable (
            _ principal: Principal,
            _ record: RecordReference,
            _ object: JSONObject
        ) -> SyncProblem? = { _, _, _ in nil }

    /// The handlers of actions, by name.
    public var actions: [String: ActionHandler] = [:]

    /// The fields of each table that refer to records which have to be there first; `nil` for the
    /// references of the store's schema.
    public var parents: [TableName: [Reference]]?

    /// The versions of the app's schema that mutations may come from; `nil` for any.
    public var schemas: ClosedRange<Int>?

    // MARK: Limits

    /// The greatest number of mutations in a push.
    public var maximumOperations = 500
    /// The greatest size of a push, in bytes.
    public var maximumBytes = 1 << 20
    /// The greatest number of changes or records in a page.
    public var maximumPage = 5_000
    /// How large the records of a page may be together before it ends, in bytes as stored.
    public var maximumPageBytes = 8 << 20
    /// How long the result of a mutation is kept for a client that does not acknowledge it.
    public var keyRetention = Duration.seconds(90 * 86_400)

    // MARK: The world

    /// The time, in milliseconds since 1970: it decides what is old, and nothing else.
    public var clock: @Sendable () -> Int64 = {
        Int64(Date().timeIntervalSince1970 * 1_000)
    }

    /// What mints the names of datasets and epochs, and ids.
    public var ids = RecordIDGenerator.system

    package var faults: PlantedFaults = []

    /// A configuration: one scope for all, everything allowed.
    public init() {}
}

/// A call of an action's handler.
public struct ActionCall: Hashable, Sendable {
    /// The action's name.
    public let name: String
    /// What it was called with.
    public let arguments: JSONObject
    /// The record that it is about, which need not be there.
    public let record: RecordReference
    /// Who calls.
    public let principal: Principal
    /// From which replica.
    public let client: ClientID
    /// The key of the call, which is never applied twice.
    public let key: MutationKey
    /// The form that its arguments are in; 0 where nobody knows.
    public let form: Int
}

extension SyncServerConfiguration {
    /// The scope of a record, if its name can be one.
    func checkedScope(
        _ record: RecordReference,
        _ object: JSONObject,
        _ principal: Principal?
    ) throws -> ScopeName {
        try Self.checked(scope(record, object, principal))
    }

    static func checked(_ scope: ScopeName) throws -> ScopeName {
        guard WireLimits.isName(scope.text, atMost: WireLimits.nameBytes) else {
            throw ServerRefusal(
                500,
                "about:blank",
                "The server gives a scope a name that is empty, too long or has control characters."
            )
        }
        return scope
    }
}
