import Holdfast
import HoldfastCommand
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct MaintenanceCommandTests {
    private let hold: Hold

    init() throws {
        hold = try Hold()
        let lines = (1...40).map { "{\"id\":\($0),\"n\":\($0 % 7)}\n" }.joined()
        _ = try hold.run(
            ["import", hold.store, "t", "-", "--batch", "1"],
            input: Array(lines.utf8)
        )
        _ = try hold.run("index", hold.store, "t", "n")
    }

    private func object(_ arguments: String...) throws -> JSONObject {
        try JSONObject(parsing: try #require(hold.run(arguments).lines.last))
    }

    private func export(_ store: String) throws -> String {
        try hold.run("export", store).output
    }

    /// Changes a byte of the first segment.
    private func damage(at offset: Int) throws {
        let segment = URL(fileURLWithPath: "\(hold.store)/0000000000000001.segment")
        var data = try Data(contentsOf: segment)
        data[offset] ^= 0x55
        try data.write(to: segment)
    }

    private func offset(of number: Int64) throws -> Int {
        for line in try hold.run("log", hold.store, "--json").lines {
            let frame = try JSONObject(parsing: line)
            guard frame["seq"] == .integer(number), frame["kind"] == "transaction",
                case .integer(let offset)? = frame["offset"]
            else { continue }
            return Int(offset)
        }
        Issue.record("commit \(number) is not there")
        return 0
    }

    @Test(arguments: [[], ["--copy"]])
    func aBackupIsTheSameStoreAndIsRestoredByABackup(_ options: [String]) throws {
        let copy = hold.path("copy")
        let outcome = try hold.run(["backup", hold.store, copy] + options)
        #expect(outcome.ending == .exited(0))
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors.hasPrefix("backed up: last commit 41; 1 segment, 0 of them linked; ")
        )
        #expect(try export(copy) == export(hold.store))
        #expect(try hold.run("verify", copy).ending == .exited(0))
        let restored = try object("backup", copy, hold.path("restored"), "--json")
        #expect(restored["sequence"] == 41 && restored["linkedSegments"] == 0)
        #expect(try export(hold.path("restored")) == export(hold.store))
        #expect(try hold.names().allSatisfy { !$0.contains("incomplete") })
    }

    @Test func aBackupIsTakenWhileAnotherProcessWrites() throws {
        let run = try hold.startPiped("import", hold.store, "t", "-", "--batch", "1", "--ack")
        try run.input.write(Array("{\"id\":\"new\"}\n{\"id\":\"next\"}\n".utf8).span)
        while try !run.output.read(atMost: 100).isEmpty {
            // Once the first is acknowledged and the second begun, the process has the store.
            break
        }
        let outcome = try hold.run("backup", hold.store, hold.path("copy"))
        #expect(outcome.ending == .exited(0))
        #expect(try export(hold.path("copy")).contains(#"{"id":1,"n":1}"#))
        run.input.close()
        #expect(try run.child.wait() == .exited(0))
        #expect(try hold.run("put", hold.path("copy"), "t", #"{"id":"own"}"#).ending == .exited(0))
    }

    @Test func aBackupBecomesAReplicaWhenItIsWritten() throws {
        let copy = hold.path("copy")
        _ = try hold.run("backup", hold.store, copy)
        let origin = try object("stats", hold.store, "--json")
        #expect(origin["store"] == origin["replica"])
        let read = try object("stats", copy, "--json")
        #expect(read["store"] == origin["store"] && read["replica"] == origin["replica"])
        _ = try hold.run("put", copy, "t", "{}")
        let written = try object("stats", copy, "--json")
        #expect(written["store"] == origin["store"])
        #expect(written["replica"] != origin["replica"])
    }

    @Test(arguments: ["backup", "salvage"])
    func nothingIsPutOverWhatIsThere(_ command: String) throws {
        let file = try hold.file("plain", "text")
        for target in [hold.store, file] {
            let outcome = try hold.run(command, hold.store, target)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.hasPrefix("hold: error: Something stands there already."))
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(try hold.text(file) == "text")
        #expect(try export(hold.store).contains(#"{"id":40,"n":5}"#))
    }

    @Test func salvageSavesWhatDamageLeft() throws {
        let offset = try offset(of: 20)
        try damage(at: offset + 50)
        let saved = hold.path("saved")
        let outcome = try hold.run("salvage", hold.store, saved)
        #expect(outcome.ending == .exited(0))
        #expect(
            outcome.lines == ["damage 0000000000000001.segment \(offset) frame", "lost 20 20"]
        )
        #expect(outcome.errors.hasPrefix("salvaged: 39 records from "))
        #expect(outcome.errors.hasSuffix("; 1 finding, 1 commit lost\n"))
        #expect(try hold.run("query", saved, "t", "--where", "n = 3").lines.count == 6)
        #expect(try hold.run("verify", saved).ending == .exited(0))
        let report = try object("salvage", hold.store, hold.path("again"), "--json")
        #expect(report["records"] == 39 && report["damage"] == 1)
        #expect(report["lost"] == [["from": 20, "to": 20]])
    }

    @Test func salvageNeedsNoHeader() throws {
        let segment = URL(fileURLWithPath: "\(hold.store)/0000000000000001.segment")
        var data = try Data(contentsOf: segment)
        data.replaceSubrange(0..<8_192, with: [UInt8](repeating: 0xAA, count: 8_192))
        let expected = try export(hold.store)
        try data.write(to: segment)
        #expect(try hold.run("export", hold.store).ending == .exited(1))
        #expect(try hold.run("log", hold.store).output.contains("headless: "))
        #expect(try hold.run("salvage", hold.store, hold.path("saved")).ending == .exited(0))
        #expect(try export(hold.path("saved")) == expected)
    }

    @Test func verifyCountsRecordsAndTheEntriesOfIndexes() throws {
        let report = try object("verify", hold.store, "--json")
        #expect(report["records"] == 40 && report["indexEntries"] == 40)
        #expect(report["intact"] == true)
    }

    @Test func compactKeepsEveryRecord() throws {
        let lines = (1...2_000).map {
            "{\"id\":\($0 % 50),\"text\":\"\(String(repeating: "x", count: 900))\"}\n"
        }
        _ = try hold.run(
            ["import", hold.store, "t", "-", "--batch", "100"],
            input: Array(lines.joined().utf8)
        )
        let expected = try export(hold.store)
        let report = try object("compact", hold.store, "--json")
        guard case .integer(let before)? = report["bytesBefore"],
            case .integer(let after)? = report["bytesAfter"]
        else {
            Issue.record("no bytes")
            return
        }
        // What little there is to give back may be less than the list of what was given up.
        #expect(after <= before + 65_536)
        #expect(try export(hold.store) == expected)
        #expect(try hold.run("verify", hold.store).ending == .exited(0))
        let outcome = try hold.run("compact", hold.store)
        #expect(outcome.errors.hasPrefix("compacted: ") && outcome.output.isEmpty)
        #expect(try hold.run("compact", hold.path("nothing")).ending == .exited(1))
    }

    @Test func statsTellsWhatIsSuperseded() throws {
        let before = try object("stats", hold.store, "--json")
        for _ in 1...10 { _ = try hold.run("put", hold.store, "t", #"{"id":1,"n":1}"#) }
        let after = try object("stats", hold.store, "--json")
        #expect(after["liveBytes"] == before["liveBytes"])
        guard case .double(let old)? = before["garbage"], case .double(let new)? = after["garbage"]
        else {
            Issue.record("garbage is no number")
            return
        }
        #expect(new > old && new < 1)
        #expect(try hold.run("stats", hold.store).output.contains("% of it superseded"))
    }
}
