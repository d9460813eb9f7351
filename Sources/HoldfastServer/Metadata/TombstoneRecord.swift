import Holdfast
import HoldfastSync

/// A deletion, or a departure from a scope, that is remembered until it is purged.
struct TombstoneRecord: Hashable, Sendable {
    var record: RecordReference
    /// Its position in the scope's history.
    var sequence: Int64
    /// When it happened, in milliseconds since 1970 by the server's clock.
    var time: Int64

    init(_ record: RecordReference, sequence: Int64, time: Int64) {
        self.record = record
        self.sequence = sequence
        self.time = time
    }

    init(_ bytes: [UInt8]) throws {
        var reader = MetadataReader(bytes)
        record = try reader.reference()
        sequence = try reader.number()
        time = try reader.number()
    }

    var bytes: [UInt8] {
        var writer = MetadataWriter()
        writer.append(record)
        writer.append(sequence)
        writer.append(time)
        return writer.bytes
    }
}
