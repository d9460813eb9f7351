/// What a commit survives once `write` has returned.
///
/// A commit that is durable at a level makes every earlier commit durable at that level too.
public enum Durability: Hashable, Sendable, CaseIterable {
    /// The commit survives power loss (`fdatasync` on Linux, `F_FULLFSYNC` on Darwin).
    case synced
    /// The commit survives the process being killed; after power loss a prefix of history is there
    /// (`F_BARRIERFSYNC` on Darwin; elsewhere the same as ``buffered``).
    case ordered
    /// The commit survives the process being killed. It is synced within a second, and on close.
    case buffered
}
