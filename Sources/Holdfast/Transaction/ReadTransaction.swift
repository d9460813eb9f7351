/// A reading transaction: one immutable state of a store.
///
/// It lives inside the closure of ``Store/read(_:)`` and cannot be copied out of it. It waits for no
/// writer and makes none wait.
public struct ReadTransaction: ~Copyable, Transaction {
    /// The state that the transaction reads.
    public let state: StoreState
}
