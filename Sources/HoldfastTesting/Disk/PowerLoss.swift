/// What a power loss makes of one file, decision by decision.
///
/// The size is decided first: the durable one, or any that the file had since. A sector that was
/// written since holds what the medium had, what any of the writes left, or a tear: everything
/// before one write, and zeros or 0xA5 in that write's own bytes. Bytes that no write touched
/// never change. A cut below the size that is kept is complete; a cut that is lost never happened.
struct PowerLoss: Sendable {
    private let contents: SimulatedContents
    private let sizes: [Int]
    /// What each size that may be kept leaves to be decided; found out once for all outcomes.
    private var questions: [Int: Question] = [:]

    private struct Question: Sendable {
        /// The file with every cut that is kept and none of the writes.
        var base: PagedBytes
        var sectors: [SectorChoice]
        var patterns: SectorPatterns?
    }

    init(of contents: SimulatedContents) {
        self.contents = contents
        var sizes = [contents.durable.count]
        var size = contents.durable.count
        for change in contents.pending {
            switch change {
            case .write(let offset, let bytes): size = max(size, offset + bytes.count)
            case .resize(let newSize): size = newSize
            }
            if size != sizes[sizes.count - 1] { sizes.append(size) }
        }
        self.sizes = sizes
    }

    /// The file after the power loss.
    mutating func outcome<Chooser: CrashChooser>(using chooser: inout Chooser) -> PagedBytes {
        guard !contents.pending.isEmpty else { return contents.durable }
        let kept = chooser.choose(from: sizes.count)
        let question = questions[kept] ?? question(sizesKept: kept, chooser.limits)
        questions[kept] = question
        let outcomes =
            question.patterns.map { $0.outcome(chooser.choose(from: $0.count)) }
            ?? question.sectors.map { $0.outcome(chooser.choose(from: $0.states.count)) }
        var result = question.base
        for outcome in outcomes {
            result.write(outcome.bytes[...], at: outcome.sector * PagedBytes.sectorSize)
        }
        result.resize(to: sizes[kept])
        return result
    }

    private func question(sizesKept kept: Int, _ limits: CrashLimits) -> Question {
        let events = events(sizesKept: kept)
        var base = contents.durable
        for case .cut(let size) in events where size < base.count { base.resize(to: size) }
        let sectors = writtenSectors(events, below: sizes[kept])
            .map { SectorChoice(states(of: $0, events, tears: limits.tears)) }
            .filter { $0.states.count > 1 }
        let hasPatterns = sectors.count > limits.independentSectors
        return Question(
            base: base,
            sectors: sectors,
            patterns: hasPatterns ? SectorPatterns(sectors) : nil
        )
    }

    private enum Event {
        case write(offset: Int, bytes: [UInt8])
        case cut(at: Int)
    }

    /// The writes, and the cuts that happened up to the size that is kept.
    private func events(sizesKept kept: Int) -> [Event] {
        var index = 0
        var size = sizes[0]
        var events: [Event] = []
        for change in contents.pending {
            let oldSize = size
            switch change {
            case .write(let offset, let bytes):
                size = max(size, offset + bytes.count)
                events.append(.write(offset: offset, bytes: bytes))
            case .resize(let newSize):
                size = newSize
            }
            if size != oldSize { index += 1 }
            if size < oldSize, index <= kept { events.append(.cut(at: size)) }
        }
        return events
    }

    private func writtenSectors(_ events: [Event], below size: Int) -> [Int] {
        var sectors: Set<Int> = []
        for case .write(let offset, let bytes) in events {
            for part in Sectors(of: offset..<offset + bytes.count)
            where part.range.lowerBound < size {
                sectors.insert(part.index)
            }
        }
        return sectors.sorted()
    }

    private func states(of sector: Int, _ events: [Event], tears: Bool) -> SectorStates {
        let start = sector * PagedBytes.sectorSize
        let whole = start..<start + PagedBytes.sectorSize
        var states = SectorStates(sector: sector, oldest: contents.durable.read(whole))
        for event in events {
            switch event {
            case .write(let offset, let bytes):
                let range = whole.clamped(to: offset..<offset + bytes.count)
                if range.isEmpty { continue }
                let first = range.lowerBound - offset
                states.write(
                    Array(bytes[first..<first + range.count]),
                    at: range.lowerBound - start,
                    tears: tears
                )
            case .cut(let size):
                states.cut(at: max(0, size - start))
            }
        }
        return states
    }
}
