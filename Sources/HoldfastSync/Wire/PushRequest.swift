/// `POST sync/push`: mutations of one client, in their order.
public struct PushRequest: Hashable, Sendable {
    /// A mutation as it was frozen, and what it waits for at this sending.
    public struct Operation: Hashable, Sendable {
        /// The mutation as JSON text, the same at each sending.
        public var text: [UInt8]
        /// Records whose creation has not been acknowledged and which it refers to.
        ///
        /// They lie outside the text: they are found anew for each sending.
        public var dependsOn: [RecordReference]

        /// A frozen mutation.
        public init(text: [UInt8], dependsOn: [RecordReference] = []) {
            self.text = text
            self.dependsOn = dependsOn
        }
    }

    /// Who sends.
    public var client: ClientID
    /// The dataset that the client believes in.
    public var dataset: DatasetID
    /// The history of the dataset that the client stands in; `nil` for whichever it is.
    ///
    /// A server that was restored from a backup meanwhile refuses the request: it has forgotten the
    /// keys, and what it would apply may be a late copy of what the client has long replaced.
    public var epoch: EpochID?
    /// Every mutation of this client up to this number is finished: its key need not be kept.
    public var acknowledgedThrough: Int64
    /// The mutations.
    public var operations: [Operation]

    /// A request.
    public init(
        client: ClientID,
        dataset: DatasetID,
        epoch: EpochID? = nil,
        acknowledgedThrough: Int64,
        operations: [Operation]
    ) {
        self.client = client
        self.dataset = dataset
        self.epoch = epoch
        self.acknowledgedThrough = acknowledgedThrough
        self.operations = operations
    }
}
