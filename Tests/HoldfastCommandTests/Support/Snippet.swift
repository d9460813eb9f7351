import Testing

/// A program under `Snippets/`.
struct Snippet: Sendable, CustomTestStringConvertible {
    let name: String
    private let lines: [Substring]

    init(path: String) throws {
        name = String(path.split(separator: "/").last?.dropLast(".swift".count) ?? "")
        lines = try PackageFiles.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    }

    static func all() throws -> [Snippet] {
        try PackageFiles.paths(in: "Snippets", suffix: ".swift").map(Snippet.init)
    }

    var testDescription: String { name }

    /// Whether a block is some of the program's lines, one behind the other, however far they are
    /// indented together.
    func contains(_ block: MarkdownPage.Block) -> Bool {
        let wanted = Self.outdented(block.lines[...])
        guard !wanted.isEmpty, wanted.count <= lines.count else { return false }
        let first = wanted[0].drop { $0 == " " }
        return (0...lines.count - wanted.count).contains { start in
            lines[start].drop { $0 == " " } == first
                && Self.outdented(lines[start..<start + wanted.count].map(String.init)[...])
                    == wanted
        }
    }

    private static func outdented(_ lines: ArraySlice<String>) -> [String] {
        let depth = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(depth)) }
    }
}
