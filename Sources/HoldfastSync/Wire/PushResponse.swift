/// The answer to a ``PushRequest``: one result for each mutation.
public struct PushResponse: Hashable, Sendable {
    /// The dataset that answered.
    public var dataset: DatasetID
    /// Its history.
    public var epoch: EpochID
    /// The results, in the order of the mutations.
    public var results: [PushResult]

    /// An answer.
    public init(dataset: DatasetID, epoch: EpochID, results: [PushResult]) {
        self.dataset = dataset
        self.epoch = epoch
        self.results = results
    }
}
