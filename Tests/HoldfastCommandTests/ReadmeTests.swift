import HoldfastCommand
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        let data = try Data(contentsOf: Self.root.appendingPathComponent(path))
        return String(decoding: data, as: UTF8.self)
    }

    /// The contents of the fenced blocks of a language.
    private func blocks(_ language: String, in text: String) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = block {
                if line == "```" {
                    blocks.append(lines.joined(separator: "\n") + "\n")
                    block = nil
                } else {
                    block = lines + [line]
                }
            } else if line == "```\(language)" {
                block = []
            }
        }
        return blocks
    }

    @Test func everySwiftBlockIsASnippetThatIsBuilt() throws {
        #expect(
            blocks("swift", in: try text("README.md")) == [
                try text("Snippets/GettingStarted.swift")
            ]
        )
    }

    @Test func theExampleHasAtMost20LinesAndPrintsWhatIsSaid() throws {
        let hold = try Hold()
        let outcome = try hold.runSnippet("GettingStarted")
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        #expect(blocks("", in: try text("README.md")).contains(outcome.output))
        #expect(try text("Snippets/GettingStarted.swift").split(separator: "\n").count <= 20)
    }

    @Test func theReadmeIsShort() throws {
        #expect(
            try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count
                <= 250
        )
    }
}
