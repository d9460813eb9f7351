/// The answer to a ``RecordsRequest``: the records that the principal sees; the others are left
/// out.
public struct RecordsPage: Hashable, Sendable {
    /// The dataset that answered.
    public var dataset: DatasetID
    /// Its history.
    public var epoch: EpochID
    /// The records.
    public var records: [ServerChange]

    /// An answer.
    public init(dataset: DatasetID, epoch: EpochID, records: [ServerChange]) {
        self.dataset = dataset
        self.epoch = epoch
        self.records = records
    }
}
