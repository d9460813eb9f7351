import Holdfast

/// A mutation that was sent and is not confirmed: its outcome is unknown, or it was acknowledged
/// and no pull has brought its effect yet.
package struct OutstandingMutation: Hashable, Sendable {
    /// Who sent it.
    package var client: ClientID
    /// Its number.
    package var sequence: Int64
    /// Its key.
    package var key: MutationKey
    /// Its record.
    package var record: RecordReference
    /// The version of its effect, once that is known.
    package var acknowledged: RecordVersion?

    /// What a mutation of the outbox is while its outcome is unknown, or may still change; `nil` for
    /// one that was never sent.
    package init?(_ mutation: Mutation) {
        let (client, sequence): (ClientID, Int64)
        if case .sent(let sender, let number, _) = mutation.state {
            (client, sequence) = (sender, number)
        } else if let frozen = mutation.frozen {
            (client, sequence) = (frozen.client, frozen.sequence)
        } else {
            return nil
        }
        self.init(
            client: client,
            sequence: sequence,
            key: mutation.key,
            record: mutation.record
        )
    }

    package init(
        client: ClientID,
        sequence: Int64,
        key: MutationKey,
        record: RecordReference,
        acknowledged: RecordVersion? = nil
    ) {
        self.client = client
        self.sequence = sequence
        self.key = key
        self.record = record
        self.acknowledged = acknowledged
    }
}
