/// Finds, in hints that may flap, the moments at which a network has come back and stayed.
package struct ReconnectionEdge: Hashable, Sendable {
    /// What was said last; `nil` before anything was.
    private var isOnline: Bool?
    /// Whether a network was gone since the last moment that counted.
    private var wasOffline = false
    /// The number of the last turn.
    private var turn = 0

    package init() {}

    /// Takes a hint in.
    ///
    /// - Returns: The number of the turn, where it is one from offline to online that counts if it
    ///   lasts: pass it to ``settle(_:)`` after a while.
    package mutating func observe(_ isOnline: Bool) -> Int? {
        defer { self.isOnline = isOnline }
        guard self.isOnline != isOnline else { return nil }
        turn += 1
        if !isOnline { wasOffline = true }
        // What is there from the beginning is no news: an engine begins by asking.
        return isOnline && wasOffline ? turn : nil
    }

    /// Whether a turn has lasted: nothing else was said since.
    package mutating func settle(_ turn: Int) -> Bool {
        guard turn == self.turn, wasOffline else { return false }
        wasOffline = false
        return true
    }
}
