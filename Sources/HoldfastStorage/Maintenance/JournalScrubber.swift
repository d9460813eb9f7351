import Synchronization

/// Reads the segments that are never written again, a little at a time, to find what rots while
/// nobody reads it.
final class JournalScrubber: Sendable {
    private struct State {
        var report = ScrubReport()
        /// Which run this is: work of an older one ends.
        var run = 0
        /// The segment that is read, or the least one behind it.
        var segment: UInt32 = 0
        /// Where in it; `nil` before its first frame.
        var position: SegmentScanner.Position?
        /// The segments that are left in this round.
        var left = 0
    }

    private enum Step {
        /// So many bytes were read.
        case read(UInt64)
        /// The round has ended.
        case roundEnd
    }

    private static let findingLimit = 1_000
    private static let leastStep: UInt64 = 64 << 10

    private let files: SegmentFiles
    private let changeReader: ChangeReader
    private let configuration: JournalConfiguration
    private let state = Mutex(State())

    init(
        _ files: SegmentFiles,
        _ changeReader: ChangeReader,
        _ configuration: JournalConfiguration
    ) {
        self.files = files
        self.changeReader = changeReader
        self.configuration = configuration
    }

    var report: ScrubReport { state.withLock { $0.report } }

    /// Begins, somewhere: an app that runs for minutes a day comes to all segments in the end.
    func start(
        _ rate: UInt64,
        _ pause: Duration,
        _ found: @escaping @Sendable (Finding) -> Void
    ) {
        let sealed = changeReader.map.headers.dropLast()
        let start = sealed.isEmpty ? 0 : Int(configuration.random() % UInt64(sealed.count))
        let run = state.withLock { state in
            state.run += 1
            state.report.isRunning = true
            state.segment = sealed.isEmpty ? 0 : sealed[sealed.startIndex + start].number
            state.position = nil
            state.left = sealed.count
            return state.run
        }
        schedule(run, max(rate, 1), pause, after: .zero, found)
    }

    func stop() {
        state.withLock { state in
            state.run += 1
            state.report.isRunning = false
        }
    }

    private func schedule(
        _ run: Int,
        _ rate: UInt64,
        _ pause: Duration,
        after delay: Duration,
        _ found: @escaping @Sendable (Finding) -> Void
    ) {
        configuration.scheduler.schedule(after: delay) { [weak self] in
            guard let self, let (step, findings) = self.step(run, rate) else { return }
            for finding in findings { found(finding) }
            let delay =
                switch step {
                case .read(let bytes): Duration.seconds(Double(bytes) / Double(rate))
                case .roundEnd: pause
                }
            self.schedule(run, rate, pause, after: delay, found)
        }
    }

    /// Reads on from where the last step ended.
    ///
    /// - Returns: What it came to and the damage that is new; `nil` when the run has ended.
    private func step(_ run: Int, _ rate: UInt64) -> (Step, [Finding])? {
        // Held over the disk's work: one step runs at a time.
        state.withLock { state in
            guard state.run == run else { return nil }
            let map = changeReader.map
            guard state.left > 0, let index = Self.index(of: state.segment, in: map.headers) else {
                state.report.rounds += 1
                state.left = max(0, map.headers.count - 1)
                state.position = nil
                return (.roundEnd, [])
            }
            var findings: [Finding] = []
            let bytes = read(
                map.headers[index],
                end: map.end(ofIndex: index)?.length,
                max(Self.leastStep, rate / 4),
                &state,
                &findings
            )
            state.report.bytes += bytes
            let new = findings.filter { !state.report.findings.contains($0) }
            let room = Self.findingLimit - state.report.findings.count
            state.report.findings += new.prefix(max(0, room))
            return (.read(bytes), new)
        }
    }

    /// The place of a segment, or of the first one behind it, among those that are sealed; the
    /// first of all behind the last.
    private static func index(of segment: UInt32, in headers: [SegmentHeader]) -> Int? {
        let sealed = headers.dropLast()
        return sealed.firstIndex { $0.number >= segment } ?? (sealed.isEmpty ? nil : 0)
    }

    private func read(
        _ header: SegmentHeader,
        end: UInt64?,
        _ limit: UInt64,
        _ state: inout State,
        _ findings: inout [Finding]
    ) -> UInt64 {
        let name = StoreDirectory.segmentName(header.number)
        if state.segment != header.number { state.position = nil }
        state.segment = header.number
        let start = state.position ?? SegmentScanner.Position(startOf: header)
        do throws(StorageError) {
            let file = try files.file(header.number)
            // What is in memory would only show that it once was intact.
            file.discardCache(of: start.offset..<start.offset + limit)
            var scanner = try SegmentScanner(
                file,
                salt: header.salt,
                from: start,
                limit: end
            )
            let goesOn = try scanner.scrub(name, limit, &findings)
            if goesOn { state.position = scanner.position } else { enterNext(&state) }
            return max(scanner.position.offset, start.offset) - start.offset
        } catch {
            // A segment that is gone from the list was retired meanwhile.
            if changeReader.map.index(of: header.number) != nil {
                findings.append(.unreadable(name, error, at: error.offset ?? start.offset))
            }
            enterNext(&state)
            return limit
        }
    }

    private func enterNext(_ state: inout State) {
        state.segment += 1
        state.position = nil
        state.left -= 1
    }
}

extension SegmentScanner {
    /// Reads about `limit` bytes of frames and checks each.
    ///
    /// - Returns: Whether the segment goes on.
    fileprivate mutating func scrub(
        _ name: String,
        _ limit: UInt64,
        _ findings: inout [Finding]
    ) throws(StorageError) -> Bool {
        let start = position
        var damaged: [Finding] = []
        let outcome = try scan { frame, payload throws(StorageError) in
            if frame.offset - start.offset >= limit { return false }
            if let entry = frame.damagedEntry(in: payload) {
                damaged.append(.entry(name, frame.header, at: frame.offset + UInt64(entry)))
            }
            return true
        }
        findings += damaged
        guard outcome == .broken else { return outcome == nil }
        if position.offset < end { findings.append(.frame(name, position)) }
        return try skipDamage()
    }
}

extension JournalStorage {
    /// Begins to read again, slowly and in the background, what is never written again, to find
    /// damage while a backup still has what it took.
    ///
    /// It goes on until ``stopScrub()`` or the store is closed; a second start begins anew with the
    /// new rate. It keeps nothing from being read or written. Whether it should rest on battery, or
    /// while the app is in use, the app decides.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: How much is read in a second; by default 256 KiB.
    ///   - pause: The time between two rounds through the store; by default a day.
    ///   - found: Called for each damaged place, once. ``JournalStorage/scrubReport`` and
    ///     ``JournalMaintenance/statistics()`` keep what was found.
    public func startScrub(
        bytesPerSecond: UInt64 = 256 << 10,
        pause: Duration = .seconds(86_400),
        found: @escaping @Sendable (Finding) -> Void = { _ in }
    ) {
        if queue.withLock({ $0.isClosed }) { return }
        scrubber.start(bytesPerSecond, pause, found)
    }

    /// Ends the background scrub; what it found is kept.
    public func stopScrub() { scrubber.stop() }

    /// What the background scrub has read and found.
    public var scrubReport: ScrubReport { scrubber.report }
}
