import HoldfastCommand
import Testing

struct ReadmeTests {
    private let page: MarkdownPage

    init() throws { page = try MarkdownPage("README.md") }

    @Test func everySwiftBlockStandsInASnippetThatIsBuilt() throws {
        let blocks = page.blocks("swift").map(\.text)
        try #require(blocks.count == 2)
        #expect(blocks[0] == (try PackageFiles.text("Snippets/GettingStarted.swift")))
        #expect(try PackageFiles.text("Snippets/Syncing.swift").contains(blocks[1]))
    }

    @Test func theExampleHasAtMost20LinesAndPrintsWhatIsSaid() throws {
        let outcome = try Hold().runSnippet("GettingStarted")
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        #expect(page.blocks("").map(\.text).contains(outcome.output))
        #expect(page.blocks("swift").allSatisfy { $0.lines.count <= 20 })
    }

    @Test func theReadmeIsShort() { #expect(page.lines.count <= 250) }
}
