import Holdfast
import HoldfastSync

/// A server that the protocol's suite is run against, with what the suite has to be able to do to it
/// behind the protocol's back.
///
/// It serves the tables `notes` and `folders`, where `notes.folder` refers to a folder. A record is
/// in the scope that its field `scope` names, or in `all`; a principal sees `all` and the scopes
/// that were granted. A note whose title is `forbidden` is not valid; the server writes the title
/// ` trim ` as `trim`. The action `rename` sets the title to its argument `title` and is rejected
/// without one. A folder of a principal without room is put off.
protocol ProtocolSubject: Sendable {
    /// A transport to it; a token is the name of a principal.
    var transport: any SyncTransport { get }

    /// Lets a principal see a scope, or not.
    func grant(_ scope: ScopeName, to token: String, _ isGranted: Bool) async throws
    /// Gives a principal room for folders, or takes it.
    func setRoom(_ hasRoom: Bool, for token: String) async throws
    /// Puts the clock of the server on.
    func advance(by time: Duration) async throws
    /// Forgets every deletion so far.
    func purge() async throws
    /// Forgets the results that are older than the retention.
    func collectKeys() async throws
    /// What has to be done after the store was restored from a backup.
    func beginEpoch() async throws
    /// An edit by the server itself: sets fields of a record, or makes it.
    func edit(_ record: RecordReference, _ fields: JSONObject) async throws
}

/// What a server allows, as far as the suite needs it to be small.
struct ProtocolLimits {
    var operations = 500
    var bytes = 1 << 20
    var page = 5_000
    var pageBytes = 8 << 20
    var retention = Duration.seconds(90 * 86_400)
    var schemas: ClosedRange<Int>?
}

/// A server to run the suite against: `SyncServer`, over HTTP or in this process.
func makeSubject(
    _ limits: ProtocolLimits = ProtocolLimits(),
    overHTTP: Bool = true
) async throws -> any ProtocolSubject {
    try await LocalSubject(limits, overHTTP: overHTTP)
}
