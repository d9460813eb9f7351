/// Checks the checkpoint of a store, page by page.
///
/// A damaged one loses nothing: what it holds is read from the journal again. But a disk that has
/// damaged it may damage more.
struct CheckpointVerification {
    private static let findingLimit = 1_000

    private(set) var findings: [Finding] = []
    /// The commit that the checkpoint is of; `nil` where there is none that can be read.
    private(set) var number: SequenceNumber?

    /// Reads every page of the checkpoint in a directory.
    static func run(_ directory: StoreDirectory, store: StoreID) throws -> CheckpointVerification {
        var verification = CheckpointVerification()
        switch try CheckpointFile(directory).read(of: store) {
        case .nothing: break
        case .damaged:
            verification.findings = [.checkpoint("The checkpoint is damaged.", at: 0)]
        case .checkpoint(let checkpoint):
            verification.number = checkpoint.position.number
            for (_, tree) in checkpoint.trees { try verification.check(tree) }
        }
        return verification
    }

    private mutating func check(_ tree: BTree) throws {
        var damaged: [UInt64] = []
        try tree.checkPages { error in
            try Task.checkCancellation()
            if damaged.count < Self.findingLimit { damaged.append(error.offset ?? 0) }
        }
        findings += damaged.map { .checkpoint("A page of the checkpoint is damaged.", at: $0) }
    }
}
