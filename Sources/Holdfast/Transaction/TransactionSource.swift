/// What a transaction reads, for this library alone.
///
/// It cannot be copied, so that it stays in its transaction, and that in its closure: a state that
/// escaped would keep its memory and could be read when the store is long closed.
public struct TransactionSource: ~Copyable, Sendable {
    let state: StoreState
}
