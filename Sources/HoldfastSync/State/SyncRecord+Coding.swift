import Holdfast

/// FORMAT.md describes the bytes: a clean record's are a kind, a mark, a version and a scope's name;
/// any other's are a kind and a document.
extension SyncRecord {
    private enum Form: UInt8 {
        case clean = 0
        case tombstone = 1
        case document = 2
    }

    private static let cleanHeader = 13

    /// The bytes that are stored.
    package func encoded() throws -> [UInt8] {
        guard isClean else {
            return [Form.document.rawValue] + (try Document.encode(object))
        }
        var bytes: [UInt8] = []
        let name = scope?.text ?? ""
        bytes.reserveCapacity(Self.cleanHeader + name.utf8.count)
        bytes.append(isDeleted ? Form.tombstone.rawValue : Form.clean.rawValue)
        bytes.append(bigEndian: mark)
        bytes.append(bigEndian: UInt64(bitPattern: version.number))
        bytes.append(contentsOf: name.utf8)
        return bytes
    }

    /// The record of stored bytes.
    ///
    /// - Throws: ``SyncError`` `.damagedState`.
    package init(_ bytes: [UInt8]) throws {
        self.init()
        guard let form = bytes.first.flatMap(Form.init(rawValue:)) else {
            throw SyncError.damagedState("a record's state")
        }
        if form == .document {
            try read(SyncDocument.decode(bytes[1...], of: "a record's state"))
            return
        }
        guard bytes.count >= Self.cleanHeader else {
            throw SyncError.damagedState("a record's state")
        }
        isDeleted = form == .tombstone
        mark = bytes[1..<5].bigEndianInteger()
        version = RecordVersion(Int64(bitPattern: bytes[5..<13].bigEndianInteger()))
        if bytes.count > Self.cleanHeader {
            scope = ScopeName(String(decoding: bytes[Self.cleanHeader...], as: UTF8.self))
        }
    }

    private var object: JSONObject {
        var object = JSONObject()
        object["version"] = .integer(version.number)
        object["scope"] = scope.map { .string($0.text) }
        object["mark"] = .integer(Int64(mark))
        object["deleted"] = isDeleted ? .bool(true) : nil
        object["base"] = base.map { .object($0) }
        object["mutations"] = .array(mutations.map(\.json))
        object["question"] = question.map { .array($0.map { .string($0) }) }
        if let remote {
            object["remoteVersion"] = .integer(remote.state.version.number)
            object["remoteScope"] = remote.scope.map { .string($0.text) }
            object["remote"] = remote.state.object.map { .object($0) }
        }
        return object
    }

    private mutating func read(_ document: SyncDocument) throws {
        version = RecordVersion(try document.integer("version"))
        scope = try document.optionalText("scope").map { ScopeName($0) }
        mark = UInt32(clamping: try document.integer("mark"))
        isDeleted = try document.optionalBool("deleted") ?? false
        base = try document.optionalObject("base")
        mutations = try document.array("mutations").map { try Mutation.Position($0, in: document) }
        question = try document.optionalArray("question")?.map { value in
            guard let name = value.stringValue else { throw document.damage }
            return name
        }
        if let number = try document.optionalInteger("remoteVersion") {
            remote = Remote(
                state: ServerState(
                    version: RecordVersion(number),
                    object: try document.optionalObject("remote")
                ),
                scope: try document.optionalText("remoteScope").map { ScopeName($0) }
            )
        }
    }
}
