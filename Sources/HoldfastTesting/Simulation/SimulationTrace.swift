/// What happened in a run: always as a hash, and in lines where it was asked for.
struct SimulationTrace: Sendable {
    private(set) var hash = TraceHash()
    private(set) var lines: [String]?

    init(keepsLines: Bool) { lines = keepsLines ? [] : nil }

    /// Notes an event; the numbers stand for all that matters of it.
    mutating func note(_ time: Duration, _ numbers: UInt64..., text: @autoclosure () -> String) {
        hash.add(time)
        for number in numbers { hash.add(number) }
        if lines != nil { lines?.append("\(time.clockText)  \(text())") }
    }

    /// Adds bytes that matter to the hash.
    mutating func mix(_ bytes: [UInt8]) { hash.add(bytes) }

    /// Adds a number that matters to the hash.
    mutating func mix(_ number: UInt64) { hash.add(number) }

    /// Adds a line without a weight.
    mutating func say(_ time: Duration, _ text: @autoclosure () -> String) {
        if lines != nil { lines?.append("\(time.clockText)    \(text())") }
    }
}
