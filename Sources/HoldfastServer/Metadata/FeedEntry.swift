import Holdfast
import HoldfastSync

/// A place in a scope's history: the newest thing that happened to one record there.
struct FeedEntry: Hashable, Sendable {
    var kind: ServerChange.Kind
    var version: RecordVersion
    var record: RecordReference
    /// The form of a record that is there; 0 where nobody knows.
    var form: Int

    init(
        _ kind: ServerChange.Kind,
        _ version: RecordVersion,
        _ record: RecordReference,
        form: Int = 0
    ) {
        self.kind = kind
        self.version = version
        self.record = record
        self.form = kind == .put ? form : 0
    }

    init(_ bytes: [UInt8]) throws {
        var reader = MetadataReader(bytes)
        switch try reader.byte() {
        case 0: kind = .put
        case 1: kind = .delete
        case 2: kind = .gone
        default: throw MetadataReader.damage
        }
        version = try reader.version()
        record = try reader.reference()
        form = reader.isAtEnd ? 0 : Int(clamping: try reader.number())
    }

    var bytes: [UInt8] {
        var writer = MetadataWriter()
        switch kind {
        case .put: writer.append(byte: 0)
        case .delete: writer.append(byte: 1)
        case .gone: writer.append(byte: 2)
        }
        writer.append(version.number)
        writer.append(record)
        if form > 0 { writer.append(Int64(form)) }
        return writer.bytes
    }
}
