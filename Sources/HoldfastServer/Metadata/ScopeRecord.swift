import Holdfast
import HoldfastSync

/// What is known of a scope.
struct ScopeRecord: Hashable, Sendable {
    /// The last position in its history.
    var sequence: Int64 = 0
    /// The last position that was purged: a cursor before it has missed something.
    var floor: Int64 = 0

    init() {}

    init(_ bytes: [UInt8]) throws {
        var reader = MetadataReader(bytes)
        sequence = try reader.number()
        floor = try reader.number()
    }

    var bytes: [UInt8] {
        var writer = MetadataWriter(reserving: 16)
        writer.append(sequence)
        writer.append(floor)
        return writer.bytes
    }
}
