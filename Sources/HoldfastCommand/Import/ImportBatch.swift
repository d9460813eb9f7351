import Holdfast

/// Records that are committed in one transaction, in the order of the input.
struct ImportBatch: Sendable {
    /// A transaction never grows beyond this, however large the records are.
    static let byteLimit: UInt64 = 16 << 20

    /// A record and where it stood.
    struct Item: Sendable {
        let record: JSONObject
        let place: InputPlace
    }

    var items: [Item] = []
}

/// What became of a batch.
struct ImportOutcome: Sendable {
    /// The ids of the records that were committed, in the order of the input.
    var ids: [RecordID] = []
    /// How many of them replaced a record.
    var replaced = 0
    /// Records that the store refused.
    var refused: [ImportRefusal] = []
    /// Why the ids could not be printed; the records are committed all the same.
    var unprinted: (any Error)?
}

/// A record that cannot be taken, and why.
struct ImportRefusal: Error, Sendable, CustomStringConvertible {
    let place: InputPlace
    let reason: String

    var description: String { "\(place): \(reason)" }
}
