import Holdfast
import HoldfastStorage

/// One thing in a journal, as `hold log` shows it.
struct JournalLine {
    /// Its parts, in the order in which they are shown.
    private(set) var object: JSONObject
    private let text: String
    /// Whether it is a frame, which has a payload.
    private(set) var isFrame = false
    /// Whether it tells of damage.
    private(set) var isDamage = false

    /// A frame.
    init(_ header: FrameHeader, segment: UInt32, offset: UInt64, entries: Int) {
        object = [
            "seq": .integer(Int64(clamping: header.number.rawValue)),
            "kind": .string(header.kind.name),
            "segment": .integer(Int64(segment)),
            "offset": .integer(Int64(clamping: offset)),
            "bytes": .integer(Int64(header.frameLength)),
            "entries": .integer(Int64(entries)),
            "durable": .integer(Int64(clamping: header.watermark.rawValue)),
            "epoch": .integer(Int64(header.epoch)),
        ]
        text = Self.columns([
            "\(header.number)", header.kind.name, "\(segment)", "\(offset)",
            "\(header.frameLength)", "\(entries)", "\(header.watermark)",
        ])
        isFrame = true
    }

    /// Damage.
    init(_ finding: Finding) {
        object = finding.object
        text = finding.line
        isDamage = true
    }

    /// Bytes that cannot be read as frames, and the commits that stood there, if any.
    init(gap numbers: ClosedRange<SequenceNumber>?, segment: UInt32) {
        guard let numbers else {
            object = ["kind": "gap", "segment": .integer(Int64(segment))]
            text = "gap: a frame without a commit cannot be read"
            return
        }
        object = [
            "kind": "gap",
            "segment": .integer(Int64(segment)),
            "from": .integer(Int64(clamping: numbers.lowerBound.rawValue)),
            "to": .integer(Int64(clamping: numbers.upperBound.rawValue)),
        ]
        text = "gap: commits \(numbers.lowerBound) to \(numbers.upperBound) cannot be read"
    }

    /// A segment whose frames cannot be told, since its header is damaged.
    init(headless segment: UInt32) {
        object = ["kind": "headless", "segment": .integer(Int64(segment))]
        text = "headless: what stands in segment \(segment) cannot be read frame by frame"
    }

    /// An unfinished end.
    init(tornTailIn segment: UInt32, at offset: UInt64) {
        object = [
            "kind": "torn tail",
            "segment": .integer(Int64(segment)),
            "offset": .integer(Int64(clamping: offset)),
        ]
        text = "torn tail: an unfinished write in segment \(segment) at \(offset), as after a crash"
    }

    /// The titles of a frame's columns.
    static let title = columns(["seq", "kind", "segment", "offset", "bytes", "entries", "durable"])

    /// Prints it, with a frame's payload in hexadecimal where that is wanted.
    func print(_ console: Console, payload: [UInt8]?) throws {
        guard console.isJSON else {
            console.output.append(text + "\n")
            for line in HexDump.lines(payload ?? []) { console.output.append("    \(line)\n") }
            return
        }
        var object = object
        if let payload { object["payload"] = .string(HexDump.digits(payload)) }
        try console.append(object)
    }

    private static func columns(_ cells: [String]) -> String {
        let widths = [10, -11, 7, 12, 10, 7, 10]
        return zip(cells, widths).map { cell, width in
            let padding = String(repeating: " ", count: max(0, abs(width) - cell.count))
            return width < 0 ? cell + padding : padding + cell
        }
        .joined(separator: "  ")
    }
}

extension FrameHeader.Kind {
    fileprivate var name: String {
        switch self {
        case .transaction: "transaction"
        case .moves: "moves"
        case .mark: "mark"
        case .seal: "seal"
        }
    }
}
