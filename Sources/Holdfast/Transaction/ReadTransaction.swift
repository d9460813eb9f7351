/// A reading transaction: one immutable state of a store.
///
/// It lives inside the closure of ``Store/read(_:)`` and cannot be copied out of it. It waits for
/// no writer and makes none wait.
public struct ReadTransaction: ~Copyable, Transaction {
    /// What the transaction reads.
    public let source: TransactionSource

    init(state: StoreState) { source = TransactionSource(state: state) }
}
