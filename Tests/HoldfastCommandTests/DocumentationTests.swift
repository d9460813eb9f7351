import HoldfastCommand
import Testing

/// What the README and the catalogues show is compiled, run, and prints what they say.
struct DocumentationTests {
    private static let libraries = [
        "HoldfastStorage", "Holdfast", "HoldfastSync", "HoldfastHTTP", "HoldfastServer",
        "HoldfastTesting",
    ]

    private static func pages() throws -> [MarkdownPage] {
        let articles = try libraries.flatMap { library in
            try PackageFiles.paths(in: "Sources/\(library)/\(library).docc", suffix: ".md")
        }
        return try (["README.md"] + articles).map(MarkdownPage.init)
    }

    @Test func everySwiftBlockIsPartOfASnippet() throws {
        let snippets = try Snippet.all()
        for page in try Self.pages() {
            for block in page.blocks("swift")
            where !snippets.contains(where: { $0.contains(block) }) {
                Issue.record("\(page.path):\(block.line) stands in no snippet:\n\(block.text)")
            }
        }
    }

    @Test func everySnippetIsShownSomewhere() throws {
        let blocks = try Self.pages().flatMap { $0.blocks("swift") }
        for snippet in try Snippet.all() {
            #expect(blocks.contains { snippet.contains($0) }, "\(snippet.name) is shown nowhere")
        }
    }

    @Test func everyBlockSaysWhatItIs() throws {
        let languages = ["swift", "sh", "text", ""]
        for page in try Self.pages() {
            for block in page.blocks where !languages.contains(block.language) {
                Issue.record("\(page.path):\(block.line) is of no known language")
            }
        }
    }

    /// A block without a language is what the program of the last block before it prints.
    @Test(arguments: try Snippet.all())
    func everySnippetRunsAndPrintsWhatThePagesSay(_ snippet: Snippet) throws {
        let outcome = try Hold().runSnippet(snippet.name)
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        for page in try Self.pages() {
            var isShown = false
            for block in page.blocks {
                switch block.language {
                case "swift": isShown = snippet.contains(block)
                case "" where isShown:
                    let place = "\(page.path):\(block.line)"
                    #expect(outcome.output.contains(block.text), "\(place) is not printed")
                default: continue
                }
            }
        }
    }

    @Test func noOutputStandsWithoutItsProgram() throws {
        for page in try Self.pages() {
            var hasProgram = false
            for block in page.blocks {
                if block.language == "swift" { hasProgram = true }
                if block.language.isEmpty {
                    #expect(hasProgram, "\(page.path):\(block.line) follows no program")
                }
            }
        }
    }

    @Test func everyErrorCodeStandsInTheTable() throws {
        let source = try PackageFiles.text("Sources/Holdfast/Store/StoreError+Codes.swift")
        let codes = source.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /public static let (\w+) = Self\("\w+"\)/).map { String($0.1) }
        }
        let page = try MarkdownPage("Sources/Holdfast/Holdfast.docc/Errors.md")
        let rows = page.lines.compactMap { line in
            line.firstMatch(of: /^\| ``StoreError\/Code\/(\w+)`` \|/).map { String($0.1) }
        }
        #expect(codes.count > 15)
        #expect(rows.sorted() == codes.sorted())
    }
}
