import Holdfast
import HoldfastCommand
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct JournalCommandTests {
    private let hold: Hold

    init() throws {
        hold = try Hold()
        let lines = "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n"
        _ = try hold.run(
            ["import", hold.store, "t", "-", "--batch", "1"],
            input: Array(lines.utf8)
        )
    }

    private func objects(_ arguments: String...) throws -> [JSONObject] {
        try hold.run(arguments).lines.map { try JSONObject(parsing: $0) }
    }

    private var segment: String { "\(hold.store)/0000000000000001.segment" }

    /// The files of the store and their bytes, but for the lock, which names its last holder.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: hold.store)
        return try names.filter { $0 != "LOCK" }.reduce(into: [:]) { files, name in
            files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(hold.store)/\(name)"))
        }
    }

    /// Changes a byte of the first segment.
    private func damage(at offset: Int) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: segment))
        data[offset] ^= 0x55
        try data.write(to: URL(fileURLWithPath: segment))
    }

    private func offset(of number: Int64) throws -> Int {
        let frames = try objects("log", hold.store, "--json")
        let frame = frames.first { $0["seq"] == .integer(number) && $0["kind"] == "transaction" }
        guard case .integer(let offset)? = frame?["offset"] else { return 0 }
        return Int(offset)
    }

    @Test func logShowsEveryTransactionOnceInOrder() throws {
        let frames = try objects("log", hold.store, "--json")
        let transactions = frames.filter { $0["kind"] == "transaction" }
        #expect(transactions.map { $0["seq"] } == [1, 2, 3])
        #expect(transactions.map { $0["entries"] } == [2, 1, 1])
        #expect(frames.last?["durable"] == 3)
        let text = try hold.run("log", hold.store).lines
        #expect(text.count == frames.count + 1)
        #expect(text[0].contains("seq"))
    }

    @Test func logBeginsWhereItIsTold() throws {
        let frames = try objects("log", hold.store, "--json", "--from", "3")
        #expect(frames.filter { $0["kind"] == "transaction" }.map { $0["seq"] } == [3])
        #expect(try objects("log", hold.store, "--json", "--from", "4").isEmpty)
    }

    @Test func logShowsBytesInHexadecimal() throws {
        let outcome = try hold.run("log", hold.store, "--hex", "--from", "3")
        #expect(outcome.output.contains("00000000  "))
        #expect(outcome.output.contains("t.3"))
        let frames = try objects("log", hold.store, "--hex", "--json", "--from", "3")
        guard case .string(let digits)? = frames.first?["payload"] else {
            Issue.record("no payload")
            return
        }
        #expect(digits.contains("740033"))
    }

    @Test func anIntactStoreIsExitStatus0AndNoFinding() throws {
        let before = try files()
        let outcome = try hold.run("verify", hold.store)
        #expect(outcome.ending == .exited(0))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("intact: 3 records; 1 segment, "))
        let report = try #require(try objects("verify", hold.store, "--json").last)
        #expect(report["intact"] == true)
        #expect(report["records"] == 3)
        #expect(try files() == before)
    }

    @Test func damageIsExitStatus1WithSegmentOffsetAndKind() throws {
        let offset = try offset(of: 2)
        try damage(at: offset + 50)
        let before = try files()
        let outcome = try hold.run("verify", hold.store)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.lines == ["damage 0000000000000001.segment \(offset) frame"])
        #expect(outcome.errors.hasPrefix("damaged: 1 finding; "))
        #expect(try objects("verify", hold.store, "--json").first?["kind"] == "frame")
        #expect(try hold.run("log", hold.store).ending == .exited(1))
        for command in [["get", "t", "1"], ["put", "t", "{}"], ["stats"], ["export"]] {
            let outcome = try hold.run([command[0], hold.store] + command.dropFirst())
            #expect(outcome.ending == .exited(1))
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("0000000000000001.segment, offset \(offset)"))
        }
        #expect(try files() == before)
    }

    @Test(arguments: [0, 1, 127, 342, 4_095, 4_096, 8_191, 8_192, 8_240])
    func aSegmentThatWasCutIsDamageAndNoTrap(_ length: Int) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: segment))
        try data.prefix(length).write(to: URL(fileURLWithPath: segment))
        let outcome = try hold.run("verify", hold.store)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.lines.allSatisfy { $0.hasPrefix("damage ") })
        #expect(try hold.run("log", hold.store).ending == .exited(1))
        #expect(try hold.run("export", hold.store).ending == .exited(1))
    }

    @Test func aTornTailIsReportedAndIsNoDamage() throws {
        let end = try objects("log", hold.store, "--json").last
        guard case .integer(let offset)? = end?["offset"], case .integer(let bytes)? = end?["bytes"]
        else {
            Issue.record("no frames")
            return
        }
        try damage(at: Int(offset + bytes) + 8)
        let outcome = try hold.run("verify", hold.store)
        #expect(outcome.ending == .exited(0))
        #expect(outcome.output.hasPrefix("torn tail: "))
        #expect(try hold.run("export", hold.store, "t").lines.count == 3)
    }

    @Test(arguments: [["verify"], ["log"], ["stats"]])
    func whatKeepsACheckFromRunningIsOnStandardError(_ command: [String]) throws {
        for path in [hold.path("nothing"), try hold.file("plain", "text")] {
            let outcome = try hold.run(command + [path])
            #expect(outcome.ending == .exited(1))
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("hold: error: "))
        }
    }

    @Test func statsHasItsKeys() throws {
        _ = try hold.run("index", hold.store, "t", "a")
        let statistics = try #require(try objects("stats", hold.store, "--json").first)
        #expect(
            statistics.map(\.name) == [
                "sequence", "tables", "records", "indexes", "liveBytes", "totalBytes",
                "journalBytes", "garbage", "segments", "lastCheckpoint", "checkpointBytes",
                "tailBytes",
                "feedFloor", "store",
                "replica", "schemaVersion", "stepsRun", "betweenSteps", "schema",
            ]
        )
        #expect(statistics["records"] == 3)
        #expect(statistics["indexes"] == 1)
        #expect(statistics["segments"] == 1)
        #expect(try hold.run("stats", hold.store).lines.count == 15)
    }
}
