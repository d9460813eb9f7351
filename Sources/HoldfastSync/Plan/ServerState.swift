package import Holdfast

/// A record as the server has it, at a version.
package struct ServerState: Hashable, Sendable {
    /// The version; 0 for a record that never was, or whose tombstone was purged.
    package var version: RecordVersion
    /// The record; `nil` where it is deleted or never was.
    package var object: JSONObject?

    /// A state.
    package init(version: RecordVersion, object: JSONObject?) {
        self.version = version
        self.object = object
    }

    /// The state of a record that never was on the server, as far as anybody knows.
    package static let absent = Self(version: RecordVersion(0), object: nil)
}
