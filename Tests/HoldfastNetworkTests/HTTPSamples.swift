import HoldfastNetwork
import HoldfastTesting
import Testing

/// What a reader makes of bytes: its events, with the body's parts put together, and its fault.
struct ReadRequests: Equatable {
    var requests: [HTTPRequest] = []
    var isInsideOne = false
    var fault: HTTPFault?

    /// Reads bytes that come in parts.
    init(_ parts: some Sequence<[UInt8]>, limits: HTTPLimits = HTTPLimits()) {
        var reader = HTTPRequestReader(limits: limits)
        do throws(HTTPFault) {
            for part in parts {
                reader.append(part[...])
                while let event = try reader.next() {
                    switch event {
                    case .head(let head):
                        requests.append(HTTPRequest(head))
                        isInsideOne = true
                    case .body(let bytes): requests[requests.count - 1].body += bytes
                    case .end: isInsideOne = false
                    }
                }
            }
        } catch {
            fault = error
        }
    }

    init(_ text: String) { self.init([Array(text.utf8)]) }
}

/// The same of responses.
struct ReadResponses: Equatable {
    var responses: [HTTPResponse] = []
    var isInsideOne = false
    var fault: HTTPFault?

    init(_ parts: some Sequence<[UInt8]>, method: String = "GET", ends: Bool = true) {
        var reader = HTTPResponseReader(limits: HTTPLimits(), method: method)
        do throws(HTTPFault) {
            for part in parts {
                reader.append(part[...])
                while let event = try reader.next() { take(event) }
            }
            if ends, let event = try reader.end() { take(event) }
        } catch {
            fault = error
        }
    }

    init(_ text: String, method: String = "GET", ends: Bool = true) {
        self.init([Array(text.utf8)], method: method, ends: ends)
    }

    private mutating func take(_ event: HTTPResponseEvent) {
        switch event {
        case .head(let head):
            responses.append(HTTPResponse(head))
            isInsideOne = true
        case .body(let bytes): responses[responses.count - 1].body += bytes
        case .end: isInsideOne = false
        }
    }
}

extension [UInt8] {
    /// The bytes one by one.
    var single: [[UInt8]] { map { [$0] } }
}
