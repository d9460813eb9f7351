#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PackedUUID {
    /// A UUID's bytes.
    init(_ uuid: UUID) {
        let halves = unsafe unsafeBitCast(uuid.uuid, to: (UInt64, UInt64).self)
        self.init(high: halves.0.bigEndian, low: halves.1.bigEndian)
    }

    /// The UUID of these bytes.
    var uuid: UUID {
        unsafe UUID(uuid: unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
    }
}
