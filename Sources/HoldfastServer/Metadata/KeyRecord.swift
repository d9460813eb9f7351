import Holdfast
import HoldfastSync

/// What is kept of a mutation under its key.
enum KeyRecord: Hashable, Sendable {
    /// The result, until the client has acknowledged it.
    case result(StoredResult)
    /// That there was one, which would count twice if it came again.
    case marker(time: Int64)
}

/// The final result of a mutation.
struct StoredResult: Hashable, Sendable {
    var fingerprint: Fingerprint
    var client: ClientID
    var sequence: Int64
    /// When it was applied, in milliseconds since 1970 by the server's clock.
    var time: Int64
    var result: PushResult
}

/// A hash of a mutation's text, to tell whether the same key comes with the same bytes.
struct Fingerprint: Hashable, Sendable {
    var high: UInt64
    var low: UInt64
}

extension KeyRecord {
    init(_ bytes: [UInt8], of key: MutationKey) throws {
        var reader = MetadataReader(bytes)
        switch try reader.byte() {
        case 0: self = .result(try StoredResult(&reader, of: key))
        case 1: self = .marker(time: try reader.number())
        default: throw MetadataReader.damage
        }
    }

    var bytes: [UInt8] {
        get throws {
            var writer = MetadataWriter(reserving: 128)
            switch self {
            case .result(let stored):
                writer.append(byte: 0)
                try stored.append(to: &writer)
            case .marker(let time):
                writer.append(byte: 1)
                writer.append(time)
            }
            return writer.bytes
        }
    }

    /// When it was written.
    var time: Int64 {
        switch self {
        case .result(let stored): stored.time
        case .marker(let time): time
        }
    }
}

extension StoredResult {
    /// By the byte that stands for each; the last is stored only where a simulation plants that
    /// mistake.
    private static let statuses: [PushResult.Status] = [
        .applied, .merged, .noop, .conflict, .rejected, .deferred,
    ]

    fileprivate init(_ reader: inout MetadataReader, of key: MutationKey) throws {
        fingerprint = Fingerprint(high: try reader.bits(), low: try reader.bits())
        client = ClientID(try reader.text())
        sequence = try reader.number()
        time = try reader.number()
        let place = Int(try reader.byte())
        guard place < Self.statuses.count else { throw MetadataReader.damage }
        result = PushResult(key: key, status: Self.statuses[place])
        let version = try reader.number()
        result.version = version == 0 ? nil : RecordVersion(version)
        let parts = try reader.byte()
        result.isTombstone = parts & 1 != 0
        if parts & 2 != 0 { result.record = try Document.decode(reader.content()) }
        if parts & 4 != 0 {
            result.problem = SyncProblem(type: try reader.text(), detail: try reader.text())
        }
        if parts & 8 != 0 { result.problem?.pointer = try reader.text() }
        if parts & 16 != 0 { result.scope = ScopeName(try reader.text()) }
        if parts & 32 != 0 { result.form = Int(clamping: try reader.number()) }
    }

    fileprivate func append(to writer: inout MetadataWriter) throws {
        writer.append(bits: fingerprint.high)
        writer.append(bits: fingerprint.low)
        writer.append(client.text)
        writer.append(sequence)
        writer.append(time)
        writer.append(byte: UInt8(Self.statuses.firstIndex(of: result.status) ?? 4))
        writer.append(result.version?.number ?? 0)
        writer.append(byte: parts)
        if let record = result.record { writer.append(try Document.encode(record)) }
        if let problem = result.problem {
            writer.append(problem.type)
            writer.append(problem.detail)
            if let pointer = problem.pointer { writer.append(pointer) }
        }
        if let scope = result.scope { writer.append(scope.text) }
        if result.form > 0 { writer.append(Int64(result.form)) }
    }

    private var parts: UInt8 {
        (result.isTombstone ? 1 : 0) | (result.record != nil ? 2 : 0)
            | (result.problem != nil ? 4 : 0) | (result.problem?.pointer != nil ? 8 : 0)
            | (result.scope != nil ? 16 : 0) | (result.form > 0 ? 32 : 0)
    }
}
