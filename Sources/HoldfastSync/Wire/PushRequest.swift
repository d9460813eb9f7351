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
    /// Every mutation of this client up to this number is finished: its key need not be kept.
    public var acknowledgedThrough: Int64
    /// The mutations.
    public var operations: [Operation]

    /// A request.
    public init(
        client: ClientID,
        dataset: DatasetID,
        acknowledgedThrough: Int64,
        operations: [Operation]
    ) {
        self.client = client
        self.dataset = dataset
        self.acknowledgedThrough = acknowledgedThrough
        self.operations = operations
    }
}
