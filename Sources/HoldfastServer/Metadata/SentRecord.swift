import Holdfast
import HoldfastSync

/// A mutation of a client whose key is kept, by its number.
struct SentRecord: Hashable, Sendable {
    var key: MutationKey
    var record: RecordReference
    /// Whether the record's state contains it.
    var hasEffect: Bool
    /// Whether a second application would be a second effect.
    var countsTwice: Bool

    init(key: MutationKey, record: RecordReference, hasEffect: Bool, countsTwice: Bool) {
        self.key = key
        self.record = record
        self.hasEffect = hasEffect
        self.countsTwice = countsTwice
    }

    init(_ bytes: [UInt8]) throws {
        var reader = MetadataReader(bytes)
        key = MutationKey(try reader.text())
        record = try reader.reference()
        let parts = try reader.byte()
        hasEffect = parts & 1 != 0
        countsTwice = parts & 2 != 0
    }

    var bytes: [UInt8] {
        var writer = MetadataWriter(reserving: 112)
        writer.append(key.text)
        writer.append(record)
        writer.append(byte: (hasEffect ? 1 : 0) | (countsTwice ? 2 : 0))
        return writer.bytes
    }
}
