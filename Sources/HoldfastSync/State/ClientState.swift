package import Holdfast

/// What a store knows of its own part in sync.
package struct ClientState: Hashable, Sendable {
    /// This replica's name; minted anew when the store turns out to be a restored backup.
    package var client: ClientID
    /// The replica id of the store that ``client`` was minted for.
    package var replica: String
    /// The dataset that the store belongs to; `nil` before the first answer.
    package var dataset: DatasetID?
    /// The dataset's history that the store follows.
    package var epoch: EpochID?
    /// The number of the next mutation that is frozen.
    package var nextSequence: Int64 = 1
    /// Whether the account has been signed out: nothing is sent and nothing pulled.
    package var isSealed = false
    /// The account that the store belongs to, as the app names it.
    package var account: String?
    /// The tables whose records all have a state of their own: those that were there before the
    /// table was synced have been queued.
    package var linked: Set<TableName> = []
    /// Whether everything that was known of another dataset is being forgotten.
    package var isForgetting = false
    /// Counts the snapshots of scopes, for the marks of their records.
    package var generation: UInt32 = 0
    /// The generation in which the newest history began, when the server was restored from a backup:
    /// whatever is not marked with one as late has not been compared with it.
    package var restoredSince: UInt32?
    /// The versions that the restored server does not know; empty before it has said so.
    package var lost: [ClosedRange<RecordVersion>] = []
    /// The version of the app's schema that last looked at what waits for a newer one.
    package var schema = 0

    package init(client: ClientID, replica: String) {
        self.client = client
        self.replica = replica
    }
}

extension ClientState {
    package func encoded() throws -> [UInt8] {
        var object: JSONObject = [
            "client": .string(client.text), "replica": .string(replica),
            "nextSequence": .integer(nextSequence), "generation": .integer(Int64(generation)),
        ]
        object["schema"] = schema > 0 ? .integer(Int64(schema)) : nil
        object["dataset"] = dataset.map { .string($0.text) }
        object["epoch"] = epoch.map { .string($0.text) }
        object["sealed"] = isSealed ? .bool(true) : nil
        object["linked"] = .array(linked.sorted().map { .string($0.text) })
        object["forgetting"] = isForgetting ? .bool(true) : nil
        object["account"] = account.map { .string($0) }
        object["restoredSince"] = restoredSince.map { .integer(Int64($0)) }
        object["lost"] = lost.isEmpty ? nil : .array(lost.bounds)
        return try Document.encode(object)
    }

    package init(_ bytes: [UInt8]) throws {
        let document = try SyncDocument.decode(bytes[...], of: "the replica")
        client = ClientID(try document.text("client"))
        replica = try document.text("replica")
        dataset = try document.optionalText("dataset").map { DatasetID($0) }
        epoch = try document.optionalText("epoch").map { EpochID($0) }
        nextSequence = try document.integer("nextSequence")
        isSealed = try document.optionalBool("sealed") ?? false
        account = try document.optionalText("account")
        isForgetting = try document.optionalBool("forgetting") ?? false
        linked = Set(
            try (document.optionalArray("linked") ?? []).compactMap { value in
                try value.stringValue.map { try TableName($0) }
            }
        )
        schema = Int(clamping: try document.optionalInteger("schema") ?? 0)
        generation = UInt32(clamping: try document.integer("generation"))
        restoredSince = try document.optionalInteger("restoredSince").map { UInt32(clamping: $0) }
        lost = try [ClosedRange<RecordVersion>](bounds: document.optionalArray("lost") ?? [])
    }
}
