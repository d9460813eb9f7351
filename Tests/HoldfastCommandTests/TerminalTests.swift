import HoldfastCommand
import Testing

struct TerminalTests {
    @Test func columnsAreAsWideAsTheirWidestCell() {
        var table = TextTable([.init("table"), .init("records", isNumeric: true)])
        table.append(["notes", "7"])
        table.append(["a", "1,000"])
        #expect(
            table.lines(nil) == ["table  records", "notes        7", "a        1,000"]
        )
    }

    @Test(arguments: [16, 20, 40])
    func aTableNeverLeavesItsTerminal(_ columns: Int) {
        var table = TextTable([.init("id"), .init("title"), .init("body")])
        table.append(["1", String(repeating: "x", count: 30), String(repeating: "y", count: 90)])
        let lines = table.lines(TerminalStyle(columns: columns, hasColour: false))
        #expect(lines.allSatisfy { $0.count <= columns })
        #expect(lines[1].contains("…"))
    }

    @Test func dataCannotSteerTheTerminal() {
        var table = TextTable([.init("a")])
        table.append(["\u{1B}[31mred\n"])
        #expect(table.lines(nil)[1] == "\u{FFFD}[31mred\u{FFFD}")
    }

    @Test(arguments: Array(0x202A...0x202E) + Array(0x2066...0x2069))
    func dataCannotTurnTheDirectionOfWriting(_ value: Int) throws {
        let scalar = try #require(Unicode.Scalar(value))
        var table = TextTable([.init("a")])
        table.append(["x\(Character(scalar))y"])
        #expect(table.lines(nil)[1] == "x\u{FFFD}y")
    }

    @Test func lettersOfEveryDirectionStayAsTheyAre() {
        var table = TextTable([.init("a")])
        table.append(["\u{5D0}\u{644}\u{200D}e\u{301}"])
        #expect(table.lines(nil)[1] == "\u{5D0}\u{644}\u{200D}e\u{301}")
    }

    @Test func coloursAreLeftOutWhereNoneAreWanted() {
        #expect(TerminalStyle(columns: 80, hasColour: false).paint("x", .bad) == "x")
        #expect(
            TerminalStyle(columns: 80, hasColour: true).paint("x", .bad) == "\u{1B}[31mx\u{1B}[0m"
        )
    }

    @Test func aProgressLineFitsItsTerminal() {
        let line = ProgressLine(title: "import", completed: 50, total: 100, note: "10 records")
        #expect(line.text(columns: 80) == "import [############............] 50% 10 records")
        #expect(line.text(columns: 10) == "import [##")
        let endless = ProgressLine(title: "import", completed: 5, total: nil, note: "10 records")
        #expect(endless.text(columns: 80) == "import 10 records")
    }

    @Test func numbersReadWell() {
        #expect([0, 999, 1_000, -1_234_567].map(\.grouped) == ["0", "999", "1,000", "-1,234,567"])
        #expect(
            [0, 1_023, 1_536, 5 << 30].map(\.asBytes) == ["0 B", "1023 B", "1.5 KiB", "5.0 GiB"]
        )
        #expect([0.25, -1.04, 9.96].map(\.rounded1) == ["0.3", "-1.0", "10.0"])
    }
}
