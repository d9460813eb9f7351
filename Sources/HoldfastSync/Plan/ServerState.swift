package import Holdfast

/// A record as the server has it, at a version.
package struct ServerState: Hashable, Sendable {
    /// The version; 0 for a record that never was, or whose tombstone was purged.
    package var version: RecordVersion
    /// The record; `nil` where it is deleted or never was.
    package var object: JSONObject?
    /// The form in which the server has it; 0 where nobody knows.
    ///
    /// Where that is an older one than this app's, `object` is in this app's all the same.
    package var form = 0
    /// Whether no step could bring it to this app's form, and `object` is as it came.
    package var isRaw = false

    /// A state.
    package init(version: RecordVersion, object: JSONObject?, form: Int = 0) {
        self.version = version
        self.object = object
        self.form = form
    }

    /// The state of a record that never was on the server, as far as anybody knows.
    package static let absent = Self(version: RecordVersion(0), object: nil)
}
