/// Counts how often the same thing has led back to itself: each way back changes the request or is
/// counted here.
struct LoopCounter: Sendable {
    /// How often a scope's snapshot was begun since the end of its history was last reached.
    var resyncs: [ScopeName: Int] = [:]
    /// Answers against the protocol in a row.
    var invalidAnswers = 0
    /// Pages in a row that brought nothing and promised more.
    var emptyPages = 0
    /// The kinds of requests whose credentials were refused, and have been refreshed since.
    var refused: Set<Kind> = []

    /// The kinds of requests.
    enum Kind: Hashable, Sendable {
        case hello
        case push
        case pull
    }
}
