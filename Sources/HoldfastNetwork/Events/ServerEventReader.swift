/// Reads server-sent events from bytes as they arrive.
package struct ServerEventReader: Sendable {
    /// How many bytes a line and an event may have.
    private let limit: Int
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// Whether the last byte was a CR, which an LF behind it belongs to.
    private var isBehindReturn = false
    /// Whether a first line may begin with a mark of the byte order.
    private var isFirst = true

    package init(limit: Int = 65_536) { self.limit = limit }

    /// The events that the bytes complete.
    ///
    /// - Throws: ``HTTPFault`` for a line or an event that is too long.
    package mutating func read(_ bytes: [UInt8]) throws(HTTPFault) -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in bytes {
            if byte == HTTPByte.lf, isBehindReturn {
                isBehindReturn = false
                continue
            }
            isBehindReturn = byte == HTTPByte.cr
            if byte == HTTPByte.lf || byte == HTTPByte.cr {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
            }
            guard line.count + data.count <= limit else {
                throw .malformed("An event is too long.")
            }
        }
        return events
    }

    /// Takes a line in; an empty one completes an event, if it has any data.
    private mutating func endLine() -> ServerEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirst {
            isFirst = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: HTTPByte.colon) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == HTTPByte.space { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(HTTPByte.lf) }
            data += value
            hasData = true
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> ServerEvent? {
        defer { (name, data, hasData) = ("", [], false) }
        guard hasData else { return nil }
        return ServerEvent(
            name: name.isEmpty ? "message" : name,
            data: String(decoding: data, as: UTF8.self)
        )
    }
}
