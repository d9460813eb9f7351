/// How much less is asked for at once after requests that took too long: on a slow line a whole page
/// may never come in time, and half of it does.
struct Slowness: Hashable, Sendable {
    /// How often what is asked for is halved.
    private var halvings = 0
    /// So that a page of 5,000 ends as one of a record.
    private static let most = 13

    /// A request took too long.
    mutating func timedOut() { halvings = min(halvings + 1, Self.most) }

    /// A request was answered in time.
    mutating func wentWell() { halvings = max(halvings - 1, 0) }

    /// What is asked for now in place of so much: at least one.
    func reduced(_ amount: Int) -> Int { max(1, amount >> halvings) }
}
