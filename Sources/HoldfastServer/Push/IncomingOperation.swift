import Holdfast
import HoldfastStorage
import HoldfastSync

/// A mutation as it came in.
final class IncomingOperation: Sendable {
    let operation: PushOperation
    let fingerprint: Fingerprint
    let dependsOn: [RecordReference]

    /// Reads a mutation.
    ///
    /// - Throws: `WireError`.
    init(_ incoming: PushRequest.Operation) throws(WireError) {
        operation = try PushOperation(text: incoming.text)
        fingerprint = Fingerprint(of: incoming.text)
        dependsOn = incoming.dependsOn
    }
}

extension Fingerprint {
    /// The fingerprint of a mutation's text.
    init(of text: [UInt8]) {
        high = unsafe XXH64.hash(of: text.span.bytes, seed: 0x686F_6C64)
        low = unsafe XXH64.hash(of: text.span.bytes, seed: 0x6661_7374)
    }
}
