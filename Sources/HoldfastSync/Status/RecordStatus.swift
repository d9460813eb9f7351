/// How far one record and the server are apart.
public enum RecordStatus: Hashable, Sendable {
    /// It is stored here, and its table is not synced or sync was never used.
    case savedHere
    /// It waits to be sent since a time, in milliseconds since 1970 by this device's clock; for other
    /// records, where it depends on them.
    case waiting(since: Int64, blockedBy: [RecordReference])
    /// It was sent, and what became of it is not known yet.
    case sending
    /// The server has acknowledged it, and no pull has confirmed it.
    case acknowledged
    /// The server has it as it is here.
    case confirmed
    /// The server refused it.
    case needsAttention(SyncProblem)
    /// Two versions wait for a decision, in these fields; in none, about the whole record.
    case conflict(fields: [String])
}
