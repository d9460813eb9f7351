import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A page of the documentation, with its fenced blocks.
struct MarkdownPage: Sendable, CustomTestStringConvertible {
    /// What stands between two fences.
    struct Block: Sendable {
        /// What is written behind the first fence; empty for a program's output.
        let language: String
        let lines: [String]
        /// Where it begins, counted from 1.
        let line: Int

        var text: String { lines.map { $0 + "\n" }.joined() }
    }

    /// The path from the package's root.
    let path: String
    let text: String
    let blocks: [Block]

    init(_ path: String) throws {
        self.path = path
        text = try PackageFiles.text(path)
        blocks = Self.blocks(in: text)
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    var testDescription: String { path }

    /// The blocks of a language.
    func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }

    private static func blocks(in text: String) -> [Block] {
        var blocks: [Block] = []
        var opening: (language: String, line: Int)?
        var inside: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if let (language, start) = opening {
                if line == "```" {
                    blocks.append(Block(language: language, lines: inside, line: start))
                    opening = nil
                } else {
                    inside.append(String(line))
                }
            } else if line.hasPrefix("```") {
                opening = (String(line.dropFirst(3)), index + 1)
                inside = []
            }
        }
        return blocks
    }
}

/// The files of the package that the tests belong to.
enum PackageFiles {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        let data = try Data(contentsOf: root.appendingPathComponent(path))
        return String(decoding: data, as: UTF8.self)
    }

    /// The paths of the files in a directory that end in `suffix`, in their order.
    static func paths(in directory: String, suffix: String) throws -> [String] {
        try FileManager.default
            .contentsOfDirectory(atPath: root.appendingPathComponent(directory).path)
            .filter { $0.hasSuffix(suffix) }.sorted().map { "\(directory)/\($0)" }
    }
}
