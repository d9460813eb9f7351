package import Holdfast

extension SyncProblem {
    /// The problem as an object of RFC 9457.
    package var json: JSONObject {
        var object: JSONObject = ["type": .string(type), "detail": .string(detail)]
        if let pointer { object["pointer"] = .string(pointer) }
        return object
    }

    /// Reads a problem.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) { try self.init(WireReader(json)) }

    package init(_ reader: WireReader) throws(WireError) {
        self.init(
            type: try reader.name("type", atMost: WireLimits.nameBytes),
            detail: reader.has("detail") ? try reader.detail("detail") : "",
            pointer: reader.has("pointer") ? try reader.detail("pointer") : nil
        )
    }
}
