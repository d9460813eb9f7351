import Holdfast
import HoldfastStorage

extension Finding {
    /// The finding as scripts read it.
    var line: String { "damage \(file) \(offset) \(kind.rawValue)" }

    /// The finding for a program.
    var object: JSONObject {
        [
            "finding": "damage",
            "segment": .string(file),
            "offset": .integer(Int64(clamping: offset)),
            "kind": .string(kind.rawValue),
            "detail": .string(detail),
        ]
    }

    /// Prints it, with what it means where a person reads.
    func print(_ console: Console) throws {
        if console.isJSON { return try console.append(object) }
        let meaning = console.terminal.map { "  " + $0.paint(detail, .faint) } ?? ""
        console.output.append(line + meaning + "\n")
    }
}
