import Holdfast
import HoldfastStorage

/// `hold log`.
struct LogCommand: Command {
    static let syntax = CommandSyntax(
        "log",
        "print the journal, frame by frame",
        positionals: [.required("STORE")],
        options: [
            .value("from", "N", "begin at sequence number N"),
            .flag("hex", "with the bytes of each frame's payload"),
            .json,
        ],
        discussion: """
            A transaction is one frame. A mark tells what is durable; a seal ends a segment. \
            `durable` is the greatest sequence number that was known to be durable when the \
            frame was written. Damage is shown where it stands, with exit status 1. FORMAT.md \
            explains every byte.
            """,
        example: "hold log notes.holdfast --from 100 --hex"
    )

    private let path: String
    private let first: UInt64
    private let showsBytes: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        first = try arguments.number("from", in: 0...UInt64.max) ?? 0
        showsBytes = arguments.has("hex")
    }

    func run(_ console: Console) throws -> ExitStatus {
        let inspector = try JournalInspector(at: path, configuration: JournalConfiguration())
        var isDamaged = false
        if !console.isJSON { console.output.append(JournalLine.title + "\n") }
        try inspector.inspect { event, payload in
            try Task.checkCancellation()
            guard let line = line(event, payload) else { return }
            isDamaged = isDamaged || line.isDamage
            try line.print(console, payload: showsBytes && line.isFrame ? payload.array : nil)
            try console.output.flushIfLarge()
        }
        return isDamaged ? .failed : .done
    }

    private func line(_ event: borrowing JournalInspector.Event, _ payload: RawSpan) -> JournalLine?
    {
        switch event {
        case .segment: nil
        case .headless(let segment, _, _): JournalLine(headless: segment)
        case .frame(let segment, let offset, let header):
            header.number.rawValue < first
                ? nil
                : JournalLine(
                    header,
                    segment: segment,
                    offset: offset,
                    entries: Self.entryCount(header, payload)
                )
        case .damage(let finding): JournalLine(finding)
        case .gap(let segment, let numbers): JournalLine(gap: numbers, segment: segment)
        case .tornTail(let segment, let offset): JournalLine(tornTailIn: segment, at: offset)
        }
    }

    private static func entryCount(_ header: FrameHeader, _ payload: RawSpan) -> Int {
        var count = 0
        var position = 0
        while position < payload.byteCount,
            FrameEntry.next(in: payload, at: &position, header) != nil
        { count += 1 }
        return count
    }
}
