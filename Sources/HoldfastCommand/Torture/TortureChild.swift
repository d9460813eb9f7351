/// A child that commits a workload, from its start to its end by `kill -9`.
struct TortureChild {
    /// A child that does not get this far by then is killed all the same.
    private static let patience = Duration.seconds(20)

    private let process: ChildProcess
    private let output: Descriptor
    private let start: ContinuousClock.Instant
    private var opening: ContinuousClock.Instant?
    private var acknowledgements: TortureAcknowledgements

    /// Starts it on a store.
    init(path: String, _ workload: TortureWorkload, after lastNumbers: [Int]) throws {
        let arguments = TortureChildCommand.arguments(path: path, workload, after: lastNumbers)
        (process, output) = try ChildProcess.own(arguments)
        start = .now
        acknowledgements = TortureAcknowledgements(lastNumbers: lastNumbers)
    }

    /// Kills it at a point and reads what it printed to the end.
    ///
    /// - Returns: What it acknowledged.
    /// - Throws: ``Failure`` when it ended by itself, `CancellationError`; it is gone either way.
    mutating func run(until point: TortureRound.KillPoint) throws -> TortureAcknowledgements {
        defer {
            process.kill()
            _ = try? process.wait()
        }
        while !isDue(point) {
            try Task.checkCancellation()
            if try output.waitUntilReadable(milliseconds: milliseconds(until: point)) {
                if try !readOnce() { break }
            }
        }
        process.kill()
        while try readOnce() {}
        if case .exited(let status) = try process.wait() {
            throw Failure("the writing process ended by itself with exit status \(status)")
        }
        return acknowledgements
    }

    /// Returns whether there was anything.
    private mutating func readOnce() throws -> Bool {
        let bytes = try output.read(atMost: 1 << 16)
        try acknowledgements.take(bytes)
        if acknowledgements.isOpen, opening == nil { opening = .now }
        return !bytes.isEmpty
    }

    private func isDue(_ point: TortureRound.KillPoint) -> Bool {
        if case .afterAcknowledgements(let count) = point, acknowledgements.count >= count {
            return true
        }
        return .now >= deadline(for: point)
    }

    private func deadline(for point: TortureRound.KillPoint) -> ContinuousClock.Instant {
        switch point {
        case .afterStart(let delay): start + delay
        case .afterOpening(let delay): opening.map { $0 + delay } ?? start + Self.patience
        case .afterAcknowledgements: start + Self.patience
        }
    }

    private func milliseconds(until point: TortureRound.KillPoint) -> Int32 {
        let rest = (deadline(for: point) - .now).seconds * 1_000
        return Int32(max(0, min(100, rest.rounded(.up))))
    }
}
