public import Holdfast

/// `GET sync/records`: single records on demand, whatever the client follows.
public struct RecordsRequest: Hashable, Sendable {
    /// Who asks.
    public var client: ClientID
    /// The table.
    public var table: TableName
    /// The ids.
    public var ids: [RecordID]

    /// A request.
    public init(client: ClientID, table: TableName, ids: [RecordID]) {
        self.client = client
        self.table = table
        self.ids = ids
    }
}
