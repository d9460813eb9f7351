import Foundation

extension Results {
    private struct Report: Encodable {
        let records: Int
        let rounds: Int
        let seed: UInt64
        let quantile: Double
        let engines: [String: String]
        let remarks: [String]
        let figures: [ReportFigure]
    }

    private struct ReportFigure: Encodable {
        let key: String
        let title: String
        let unit: String
        let values: [String: [Double]]
        let figures: [String: Double]
        let bestPeer: String?
        let ratios: [String: Double]
    }

    /// Every figure of every round, for programs.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let settings = kinds.map { ($0.rawValue, $0.settings) }
        return try encoder.encode(
            Report(
                records: options.records,
                rounds: options.rounds,
                seed: options.seed,
                quantile: options.quantile,
                engines: Dictionary(uniqueKeysWithValues: settings),
                remarks: remarks,
                figures: rows.map(Self.figure)
            )
        )
    }

    private static func figure(_ row: Row) -> ReportFigure {
        func named(_ value: (EngineKind) -> Double?) -> [String: Double] {
            let pairs = EngineKind.allCases.compactMap { kind in
                value(kind).map { (kind.rawValue, $0) }
            }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
        return ReportFigure(
            key: row.key,
            title: row.title,
            unit: row.unit.rawValue,
            values: Dictionary(
                uniqueKeysWithValues: row.values.map { ($0.key.rawValue, $0.value) }
            ),
            figures: named(row.figure),
            bestPeer: row.bestPeer?.kind.rawValue,
            ratios: named { $0.isHoldfast ? row.ratio($0) : nil }
        )
    }
}
