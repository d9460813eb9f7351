/// An event of a stream of server-sent events (WHATWG HTML, 9.2).
package struct ServerEvent: Hashable, Sendable {
    /// Its name; `message` where none is given.
    package var name: String
    /// Its data, of one or more lines.
    package var data: String

    package init(name: String = "message", data: String) {
        self.name = name
        self.data = data
    }

    /// The event as text of the stream.
    package func encoded() -> [UInt8] {
        var text = "event: \(name.filter { !$0.isNewline })\n"
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            text += "data: \(line)\n"
        }
        return Array((text + "\n").utf8)
    }
}
