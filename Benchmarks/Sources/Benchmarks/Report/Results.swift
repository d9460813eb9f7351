import Foundation

/// All figures of a run, in the order in which they came.
struct Results {
    /// One figure of all engines, over all rounds.
    struct Row {
        let key: String
        let title: String
        let unit: Figure.Unit
        let quantile: Double
        var values: [EngineKind: [Double]] = [:]
    }

    let options: Options
    private(set) var rows: [Row] = []
    /// What the engines say of themselves.
    private(set) var remarks: [String] = []

    init(_ options: Options) { self.options = options }

    /// The engines that have a figure.
    var kinds: [EngineKind] {
        EngineKind.allCases.filter { kind in rows.contains { $0.values[kind] != nil } }
    }

    /// Adds what an engine says of itself.
    mutating func add(remarks lines: [String], of kind: EngineKind) {
        remarks += lines.map { "\(kind.title): \($0)" }
    }

    /// Adds the figures of one engine in one round.
    mutating func add(_ figures: [Figure], of kind: EngineKind) {
        for figure in figures {
            let known = rows.firstIndex { $0.key == figure.key }
            let index = known ?? rows.endIndex
            if known == nil {
                rows.append(
                    Row(
                        key: figure.key,
                        title: figure.title,
                        unit: figure.unit,
                        quantile: options.quantile
                    )
                )
            }
            rows[index].values[kind, default: []].append(figure.value)
        }
    }
}

extension Results.Row {
    /// The turn that stands for all of them: the median, unless another was asked for.
    func figure(_ kind: EngineKind) -> Double? {
        guard let values = values[kind], !values.isEmpty else { return nil }
        let sorted = unit.isRate ? values.sorted() : values.sorted(by: >)
        let place = quantile * Double(sorted.count - 1)
        let (below, above) = (sorted[Int(place)], sorted[Int(place.rounded(.up))])
        return below + (above - below) * (place - place.rounded(.down))
    }

    /// The peer with the best figure.
    var bestPeer: (kind: EngineKind, value: Double)? {
        let peers = EngineKind.allCases.filter(\.isPeer)
            .compactMap { kind in figure(kind).map { (kind: kind, value: $0) } }
        return unit.isRate
            ? peers.max { $0.value < $1.value } : peers.min { $0.value < $1.value }
    }

    /// How many times better than the best peer; below 1 for worse.
    func ratio(_ kind: EngineKind) -> Double? {
        guard let own = figure(kind), let best = bestPeer, own > 0, best.value > 0 else {
            return nil
        }
        return unit.isRate ? own / best.value : best.value / own
    }

    /// Whether it says what the machine does, and not what an engine does.
    var isLimit: Bool { key == "rawP50" }
}
