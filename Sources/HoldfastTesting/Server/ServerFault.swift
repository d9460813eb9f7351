/// What goes wrong with a request to a ``FakeServer``.
public enum ServerFault: Hashable, Sendable {
    /// The kinds of requests.
    public enum RequestKind: String, Hashable, Sendable, CaseIterable {
        /// `hello`.
        case hello
        /// `push`.
        case push
        /// `changes`.
        case changes
        /// `snapshot`.
        case snapshot
        /// `records`.
        case records
    }

    /// There is no network.
    case unreachable
    /// The request is lost on its way: it has no effect, and no answer comes in time.
    case lostRequest
    /// The answer is lost: the request had its effect, and no answer comes in time.
    case lostAnswer
    /// The request arrives twice, and the second answer is the one that comes back.
    case doubled
    /// A captive portal answers instead.
    case portal
    /// The server refuses the request with this status of HTTP, and asks to wait so long.
    case status(Int, retryAfter: Duration? = nil)
    /// The request waits, before it has its effect, until ``FakeServer/release()``.
    case heldRequest
    /// The answer waits, after the request had its effect, until ``FakeServer/release()``.
    case heldAnswer
    /// The answer is not what the protocol says.
    case garbled(AnswerDistortion)
}

/// An answer that is against the protocol, or that a server would give only after an accident.
public enum AnswerDistortion: String, Hashable, Sendable, CaseIterable {
    /// Every second result or change is missing.
    case missingParts
    /// There are results of mutations that nobody sent.
    case unknownResults
    /// Each result and each change stands twice.
    case doubledParts
    /// The cursor is the one that was asked with, and there is more.
    case stuckCursor
    /// There is always more, and nothing comes.
    case endlessPages
    /// Every version is 1.
    case oldVersions
    /// Another dataset answers.
    case otherDataset
    /// A snapshot is empty.
    case emptySnapshot
    /// It cannot be read at all.
    case unreadable
}
