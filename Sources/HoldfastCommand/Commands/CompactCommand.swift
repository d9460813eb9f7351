import Holdfast
import HoldfastStorage

/// `hold compact`.
struct CompactCommand: Command {
    static let syntax = CommandSyntax(
        "compact",
        "give back the space of what is superseded or deleted",
        positionals: [.required("STORE")],
        options: [.json],
        discussion: """
            A store does so by itself while it is written, as far as is worthwhile; this goes on \
            until hardly anything is superseded. It can be interrupted at any time. The change \
            feed begins behind the last commit of what was given back.
            """,
        example: "hold compact notes.holdfast"
    )

    private let path: String

    init(_ arguments: ParsedArguments) { path = arguments.positional(0) }

    func run(_ console: Console) async throws -> ExitStatus {
        let progress = console.progress("compact", total: nil)
        let before = try await figures()
        try await StoreSession.run(at: path, .write) { store in
            let watch = Task {
                while !Task.isCancelled {
                    let moved = try store.statistics()?.compaction.movedBytes ?? 0
                    progress.update(moved, "\(Int(clamping: moved).asBytes) moved")
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
            defer { watch.cancel() }
            try await store.compact()
        }
        progress.finish()
        let after = try await figures()
        if console.isJSON {
            try console.append(Self.object(before, after))
        } else {
            console.message(Self.summary(before, after))
        }
        return .done
    }

    private func figures() async throws -> StorageStatistics {
        try await StoreSession.run(at: path, .read) { try $0.statistics() ?? StorageStatistics() }
    }

    private static func object(
        _ before: StorageStatistics,
        _ after: StorageStatistics
    ) -> JSONObject {
        [
            "bytesBefore": .integer(Int64(clamping: before.files.bytes)),
            "bytesAfter": .integer(Int64(clamping: after.files.bytes)),
            "segments": .integer(Int64(after.segments)),
            "feedFloor": .integer(Int64(clamping: after.feedFloor.rawValue)),
        ]
    }

    private static func summary(_ before: StorageStatistics, _ after: StorageStatistics) -> String {
        "compacted: \(Int(clamping: before.files.bytes).asBytes) before, "
            + "\(Int(clamping: after.files.bytes).asBytes) now in "
            + after.segments.counted("segment")
    }
}
