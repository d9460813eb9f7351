import Holdfast

/// Mutations of one transaction that the server applies together or not at all.
struct OutboxGroup {
    static let maximumCount = 500
    static let maximumBytes = 1 << 20
    /// What a mutation takes on the wire beside its fields, at most.
    private static let overhead = 512

    /// What they have in common.
    let name: String
    private var count = 0
    private var bytes = 0

    init(name: String) { self.name = name }

    /// Takes in one more.
    mutating func add(_ mutation: Mutation) throws {
        count += 1
        bytes += Self.overhead + mutation.record.id.text.utf8.count
        switch mutation.change {
        case .put(let object), .delta(let object): bytes += try object.serialized().count
        case .patch(let set, let unset):
            bytes += try set.serialized().count + unset.reduce(0) { $0 + $1.utf8.count + 3 }
        case .action(let name, let arguments, _, _):
            bytes += try name.utf8.count + arguments.serialized().count
        case .delete: break
        }
    }

    /// - Throws: ``SyncError`` `.groupTooLarge`.
    func check() throws {
        if count > Self.maximumCount || bytes > Self.maximumBytes {
            throw SyncError.groupTooLarge(count: count, bytes: bytes)
        }
    }
}
