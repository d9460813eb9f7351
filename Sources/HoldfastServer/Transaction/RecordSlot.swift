import Holdfast
import HoldfastSync

/// A record as a transaction has it: as stored at first, then with what was written.
struct RecordSlot: Sendable {
    /// What is known of it; `nil` where it never was, or was purged.
    var metadata: RecordMetadata?
    /// The record; `nil` where it is deleted or never was.
    var object: JSONObject?
    /// What was known of it when the transaction began.
    let stored: RecordMetadata?
    /// Whether the object differs from what is stored.
    var isChanged = false

    init(metadata: RecordMetadata?, object: JSONObject?) {
        self.metadata = metadata
        self.object = object
        stored = metadata
    }

    var version: RecordVersion { metadata?.version ?? RecordVersion(0) }
    /// The form of the record; 0 where there is none, or nobody knows.
    var form: Int { object == nil ? 0 : metadata?.form ?? 0 }
    var isTombstone: Bool { metadata?.isTombstone ?? false }
}
