package import Holdfast

/// A document that sync stored for itself, read field by field: what is not as it was written is
/// damage.
package struct SyncDocument {
    private let object: JSONObject
    private let subject: String

    package init(_ object: JSONObject, of subject: String) {
        self.object = object
        self.subject = subject
    }

    /// The document in stored bytes.
    ///
    /// - Throws: ``SyncError`` `.damagedState`.
    package static func decode(_ bytes: ArraySlice<UInt8>, of subject: String) throws -> Self {
        do {
            return Self(try Document.decode(Array(bytes)), of: subject)
        } catch {
            throw SyncError.damagedState(subject)
        }
    }

    /// The error of a document that is not as it was written.
    package var damage: SyncError { .damagedState(subject) }

    package func text(_ name: String) throws -> String { try require(optionalText(name)) }

    package func integer(_ name: String) throws -> Int64 { try require(optionalInteger(name)) }

    package func array(_ name: String) throws -> [JSONValue] { try require(optionalArray(name)) }

    package func optionalText(_ name: String) throws -> String? {
        try value(name) { $0.stringValue }
    }

    package func optionalInteger(_ name: String) throws -> Int64? {
        try value(name) { $0.integerValue }
    }

    package func optionalBool(_ name: String) throws -> Bool? { try value(name) { $0.boolValue } }

    package func optionalArray(_ name: String) throws -> [JSONValue]? {
        try value(name) { $0.arrayValue }
    }

    package func optionalObject(_ name: String) throws -> JSONObject? {
        try value(name) { $0.objectValue }
    }

    private func value<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws -> Value? {
        guard let value = object[name] else { return nil }
        return try require(read(value))
    }

    private func require<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw damage }
        return value
    }
}
