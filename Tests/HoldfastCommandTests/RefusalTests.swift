import HoldfastCommand
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Paths that are no store, and stores that cannot be used: one clear error, and nothing is changed.
struct RefusalTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    private static let reading = [["get", "t", "a"], ["query", "t"], ["export"], ["tables"]]
    private static let writing = [
        ["put", "t", "{}"], ["delete", "t", "a"], ["index", "t", "a"], ["import", "t", "-"],
    ]

    private func expectRefusal(_ words: [String], at path: String) throws {
        let outcome = try hold.run([words[0], path] + words.dropFirst())
        #expect(outcome.ending == .exited(1), "\(words)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.split(separator: "\n").last?.hasPrefix("hold: error: ") == true)
    }

    @Test(arguments: reading + writing)
    func aFileIsNoStore(_ words: [String]) throws {
        let file = try hold.file("plain", "text")
        try expectRefusal(words, at: file)
        #expect(try hold.text(file) == "text")
    }

    @Test(arguments: reading + writing)
    func aDirectoryOfOtherFilesIsNoStore(_ words: [String]) throws {
        let directory = hold.path("other")
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: false
        )
        let file = try hold.file("other/file", "text")
        try expectRefusal(words, at: directory)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["file"])
        #expect(try hold.text(file) == "text")
    }

    @Test(arguments: [["put", "t", "{}"], ["import", "t", "-"]])
    func aStoreIsNotMadeWhereItsParentIsMissing(_ words: [String]) throws {
        let outcome = try hold.run([words[0], hold.path("no/store")] + words.dropFirst())
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.contains("hold: error: The directory that the store should stand"))
        #expect(!outcome.errors.contains("makes one"))
        #expect(try hold.names().allSatisfy { $0 != "no" })
    }

    @Test func aReaderOfNothingIsToldWhatMakesAStore() throws {
        let outcome = try hold.run("tables", hold.store)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.contains("`hold put` or `hold import` makes one."))
    }

    @Test(arguments: [[""], ["a\nb"], [String(repeating: "x", count: 256)]])
    func aTableNameThatCannotBeIsWrongUsage(_ name: [String]) throws {
        let outcome = try hold.run("put", hold.store, name[0], "{}")
        #expect(outcome.ending == .exited(64))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(!outcome.errors.contains(".;"))
        #expect(outcome.errors.hasSuffix("; see hold put --help\n"))
    }

    private static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")

    @Test(arguments: [">&-", "<&- >&-", "<&- >&- 2>&-"] + (hasFullDevice ? ["> /dev/full"] : []))
    func aStandardOutputThatCannotBeWrittenHarmsNoStore(_ redirection: String) throws {
        let script = try hold.file(
            "script",
            "exec \"$0\" put \(hold.store) t '{\"id\":1}' \(redirection)\n"
        )
        let outcome = try hold.runShell(script)
        #expect(outcome.ending == .exited(1))
        #expect(try hold.run("verify", hold.store).ending == .exited(0))
        #expect(try hold.run("export", hold.store, "t").lines == [#"{"id":1}"#])
    }
}
