import Holdfast

/// A record that left a scope, until it is known whether it has come to another.
struct GoneNote: Hashable, Sendable {
    /// The scope that it left.
    let scope: ScopeName
    /// The version at which it left.
    let version: RecordVersion

    init(scope: ScopeName, version: RecordVersion) {
        self.scope = scope
        self.version = version
    }

    /// The bytes that are stored: the version, then the scope's name.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: version.number))
        bytes.append(contentsOf: scope.text.utf8)
        return bytes
    }

    /// - Throws: ``SyncError`` `.damagedState`.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count >= 8 else { throw SyncError.damagedState("a record that left a scope") }
        version = RecordVersion(Int64(bitPattern: bytes[..<8].bigEndianInteger()))
        scope = ScopeName(String(decoding: bytes[8...], as: UTF8.self))
    }
}
