import Holdfast
import HoldfastStorage

/// `hold backup`.
struct BackupCommand: Command {
    static let syntax = CommandSyntax(
        "backup",
        "copy a store into a new directory, also while it is written",
        positionals: [.required("STORE"), .required("NEW")],
        options: [
            .flag("copy", "copy every file, and share none with STORE through a hard link"),
            .json,
        ],
        discussion: """
            The copy holds every commit up to one, and nothing of a later one; it is durable when \
            the command ends. Files that are never written again become hard links where the disk \
            allows that, so that a backup beside the store takes little time and space; damage to \
            the disk takes both, and --copy makes one that shares nothing. NEW must not exist: to \
            restore, back the backup up to where the store should be. A backup becomes a replica \
            of its own when it is first opened for writing.
            """,
        example: "hold backup notes.holdfast /mnt/disk/notes-monday.holdfast"
    )

    private let path: String
    private let target: String
    private let links: Bool

    init(_ arguments: ParsedArguments) {
        path = arguments.positional(0)
        target = arguments.positional(1)
        links = !arguments.has("copy")
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let progress = console.progress("backup", total: nil)
        let (target, links) = (target, links)
        let report = try await StoreSession.run(at: path, .read) { store in
            try await store.backup(to: target, linking: links) { state in
                progress.update(state)
            }
        }
        progress.finish()
        if console.isJSON {
            try console.append(report.object)
        } else {
            console.message(report.summary)
        }
        return .done
    }
}

extension BackupReport {
    fileprivate var object: JSONObject {
        [
            "sequence": .integer(Int64(clamping: last.rawValue)),
            "segments": .integer(Int64(segments)),
            "linkedSegments": .integer(Int64(linkedSegments)),
            "copiedBytes": .integer(Int64(clamping: copiedBytes)),
        ]
    }

    fileprivate var summary: String {
        "backed up: last commit \(last); \(segments.counted("segment")), "
            + "\(linkedSegments.grouped) of them linked; \(Int(clamping: copiedBytes).asBytes) copied"
    }
}
