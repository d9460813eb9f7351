/// What a delete leaves in a journal: an entry that keeps older versions of its key from coming
/// back.
package struct Tombstone: Hashable, Sendable {
    /// The segment that it stands in.
    let segment: UInt32
    /// The entry's length.
    let bytes: Int
    /// The segments that may hold what it hides, its own or not.
    let hidden: ClosedRange<UInt32>
}
