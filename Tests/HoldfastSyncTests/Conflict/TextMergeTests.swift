import Holdfast
import HoldfastSync
import HoldfastTesting
import Testing

@Suite struct TextMergeTests {
    private func merged(_ base: String, _ local: String, _ remote: String) throws -> String? {
        try rebased(
            [.queued(.patch(["t": .string(local)]))],
            on: .at(1, ["t": .string(base)]),
            against: .at(2, ["t": .string(remote)]),
            SyncRules(.text)
        ).local?["t"]?.stringValue
    }

    @Test(arguments: [
        ("a\nb\nc", "x\nb\nc", "a\nb\ny", "x\nb\ny"),
        ("a\nb\nc", "b\nc", "a\nb", "b"),
        ("a\nb\nc\nd\ne", "a\nc\nd\ne\nf", "0\na\nb\nc\nE", "0\na\nc\nE\nf"),
        ("a", "a\nmine", "a\nyours", "a\nyours\nmine"),
        ("a\n", "a\nmine\n", "a\nyours\n", "a\nyours\nmine\n"),
        ("a", "a\nx\nmine", "a\nx\nyours", "a\nx\nyours\nmine"),
        ("a", "a\nx", "a\nx\ny", "a\nx\ny"),
        ("a\nb", "", "a\nb\nc", "c"),
        ("a\nb\nc", "a\nB\nc", "", "a\nB\nc"),
        ("", "mine", "yours", "yours\nmine"),
        ("a\r\nb\r\n", "a\r\nB\r\n", "A\r\nb\r\n", "A\r\nB\r\n"),
        ("é\nb", "e\u{301}\nb", "é\nc", "e\u{301}\nc"),
        ("a\n\n\nb", "a\n\nb", "a\n\n\nc", "a\n\nc"),
    ])
    func linesAreMerged(base: String, local: String, remote: String, expected: String) throws {
        let text = try merged(base, local, remote)
        #expect(text.map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func aMergeHasWhatEitherSideAloneChanged(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let base = text(&random)
            let (local, remote) = (edited(base, &random), edited(base, &random))
            #expect(try merged(base, local, base) == local, "seed \(seed)")
            #expect(try merged(base, local, local) == local, "seed \(seed)")
            let both = try #require(try merged(base, local, remote))
            #expect(try merged(remote, both, remote) == both, "seed \(seed)")
            let lines = Set(both.split(separator: "\n"))
            let known = Set((local + "\n" + remote).split(separator: "\n"))
            #expect(lines.isSubset(of: known), "seed \(seed)")
        }
    }

    @Test func editsOfDifferentLinesAreBothThereInBothOrders() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<50 {
            let lines = (0..<12).map { "line \($0)" }
            let (first, second) = (random.next(below: 6), 6 + random.next(below: 6))
            guard second > first + 1 else { continue }
            var (local, remote, expected) = (lines, lines, lines)
            local[first] = "mine"
            remote[second] = "yours"
            (expected[first], expected[second]) = ("mine", "yours")
            let (base, mine) = (lines.joined(separator: "\n"), local.joined(separator: "\n"))
            let (yours, both) = (remote.joined(separator: "\n"), expected.joined(separator: "\n"))
            #expect(try merged(base, mine, yours) == both)
            #expect(try merged(base, yours, mine) == both)
        }
    }

    @Test func textsWithNothingInCommonCostLittleAndLoseNothingSilently() throws {
        let base = (0..<3_000).map { "b\($0)" }.joined(separator: "\n")
        let local = (0..<3_000).map { "l\($0)" }.joined(separator: "\n")
        let remote = (0..<3_000).map { "r\($0)" }.joined(separator: "\n")
        #expect(try merged(base, local, remote) == local)
    }

    private func text(_ random: inout SplitMix64) -> String {
        (0..<random.next(below: 8)).map { _ in line(&random) }.joined(separator: "\n")
    }

    private func edited(_ text: String, _ random: inout SplitMix64) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for _ in 0..<random.next(below: 4) {
            let place = random.next(below: lines.count + 1)
            switch random.next(below: 3) {
            case 0: lines.insert(line(&random), at: place)
            case 1 where place < lines.count: lines.remove(at: place)
            default: if place < lines.count { lines[place] = line(&random) }
            }
        }
        return lines.joined(separator: "\n")
    }

    private func line(_ random: inout SplitMix64) -> String {
        ["a", "b", "c", "d", ""][random.next(below: 5)]
    }
}
