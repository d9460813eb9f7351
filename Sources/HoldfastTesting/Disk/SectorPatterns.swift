/// A sector that a power loss has to decide about.
struct SectorChoice: Sendable {
    struct Outcome {
        let sector: Int
        let bytes: [UInt8]
    }

    let sector: Int
    /// The oldest first, the newest last.
    let states: [[UInt8]]

    init(_ states: SectorStates) {
        sector = states.sector
        self.states = states.distinct
    }

    func outcome(_ choice: Int) -> Outcome { Outcome(sector: sector, bytes: states[choice]) }

    var oldest: Outcome { outcome(0) }
    var newest: Outcome { outcome(states.count - 1) }
}

/// The outcomes of a file with too many unsynced sectors for all their combinations.
///
/// None; every prefix and every suffix; each sector alone in each of its states, the others all old
/// or all new; all.
struct SectorPatterns: Sendable {
    private enum Pattern: Sendable {
        case newest(Range<Int>)
        case alone(Int, state: Int, othersAreNew: Bool)
    }

    private let sectors: [SectorChoice]
    private let patterns: [Pattern]

    init(_ sectors: [SectorChoice]) {
        self.sectors = sectors
        let all = sectors.indices
        var patterns: [Pattern] = [.newest(0..<0)]
        for cut in all.dropFirst() {
            patterns += [.newest(0..<cut), .newest(cut..<all.upperBound)]
        }
        for index in all {
            let states = sectors[index].states.indices
            patterns += states.dropFirst().map { .alone(index, state: $0, othersAreNew: false) }
            patterns += states.dropLast().map { .alone(index, state: $0, othersAreNew: true) }
        }
        self.patterns = patterns + [.newest(all)]
    }

    var count: Int { patterns.count }

    func outcome(_ choice: Int) -> [SectorChoice.Outcome] {
        switch patterns[choice] {
        case .newest(let range):
            sectors.indices.map { range.contains($0) ? sectors[$0].newest : sectors[$0].oldest }
        case .alone(let index, let state, let othersAreNew):
            sectors.indices.map { other in
                if other == index { return sectors[other].outcome(state) }
                return othersAreNew ? sectors[other].newest : sectors[other].oldest
            }
        }
    }
}
