/// Counts how often the same thing has led back to itself: each way back changes the request or is
/// counted here.
struct LoopCounter: Sendable {
    /// How often a scope's snapshot was begun since the end of its history was last reached.
    var resyncs: [ScopeName: Int] = [:]
    /// Answers against the protocol in a row, for each kind of request: another kind may be answered
    /// well all the while.
    var invalidAnswers: [Kind: Int] = [:]
    /// How often in a row each kind of request was refused for another dataset or epoch, while the
    /// server names the known ones.
    var historyRefusals: [Kind: Int] = [:]
    /// The kinds of requests whose credentials were refused, and have been refreshed since.
    var refused: Set<Kind> = []

    /// The kinds of requests.
    enum Kind: Hashable, Sendable {
        case hello
        case push
        case pull
    }
}
