import Holdfast
import HoldfastCommand
import Testing

/// What `hold import --ack` promises when it does not end in peace.
struct KilledImportTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    /// A file of records whose field tells a whole one from a half one.
    private func file(count: Int) throws -> String {
        var text = ""
        for number in 0..<count { text += record(number) + "\n" }
        return try hold.file("input.jsonl", text)
    }

    private func record(_ number: Int) -> String {
        #"{"id":\#(number),"text":"\#(String(repeating: "\(number) ", count: 20))"}"#
    }

    /// Whole lines only: the last one may have been cut by the kill.
    private func ids(in printed: [UInt8]) -> [Int] {
        let text = String(decoding: printed, as: UTF8.self)
        let whole = text.prefix { _ in true }.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        return whole.dropLast().compactMap { Int($0) }
    }

    @Test(arguments: [1, 500, 3_000])
    func killNineNeverLosesAnAcknowledgedID(_ killAfter: Int) throws {
        let run = try hold.startPiped(
            "import",
            hold.store,
            "t",
            try file(count: 20_000),
            "--ack",
            "--batch",
            "50"
        )
        var printed: [UInt8] = []
        while ids(in: printed).count < killAfter {
            let bytes = try run.output.read(atMost: 4_096)
            try #require(!bytes.isEmpty)
            printed += bytes
        }
        run.child.kill()
        while case let bytes = try run.output.read(atMost: 65_536), !bytes.isEmpty {
            printed += bytes
        }
        #expect(try run.child.wait() == .killed(signal: 9))
        let acknowledged = ids(in: printed)
        #expect(acknowledged == Array(0..<acknowledged.count))
        let stored = Set(try hold.run("export", hold.store, "t").lines)
        #expect(acknowledged.allSatisfy { stored.contains(record($0)) })
        #expect(stored.count.isMultiple(of: 50))
    }

    @Test func aClosedPipeIsExitStatus1AndKeepsWhatWasCommitted() throws {
        // More ids than a pipe holds, so that the import cannot end before it is closed.
        let run = try hold.startPiped(
            "import",
            hold.store,
            "t",
            try file(count: 20_000),
            "--ack",
            "--batch",
            "50"
        )
        let printed = try run.output.read(atMost: 4_096)
        run.output.close()
        #expect(try run.child.wait() == .exited(1))
        #expect(try hold.text(hold.path("errors")).contains("hold: error: "))
        let stored = Set(try hold.run("export", hold.store, "t").lines)
        #expect(ids(in: printed).allSatisfy { stored.contains(record($0)) })
        #expect(stored.count < 20_000)
    }

    @Test func theSummaryCountsWhatWasCommittedThoughNobodyReadsTheIDs() throws {
        let run = try hold.startPiped("import", hold.store, "t", "-", "--ack")
        run.output.close()
        try run.input.write(Array("{\"id\":1}\n{\"id\":2}\n".utf8).span)
        run.input.close()
        #expect(try run.child.wait() == .exited(1))
        let stored = try hold.run("export", hold.store, "t").lines.count
        #expect(stored > 0)
        #expect(try hold.text(hold.path("errors")).hasPrefix("imported \(stored), "))
    }

    @Test(arguments: ["1", "1000"])
    func aSlowInputIsCommittedAndAcknowledgedAsItComes(_ batch: String) throws {
        let run = try hold.startPiped("import", hold.store, "t", "-", "--ack", "--batch", batch)
        for number in 1...3 {
            try run.input.write(Array("{\"id\":\(number)}\n".utf8).span)
            #expect(try run.output.read(atMost: 10) == Array("\(number)\n".utf8))
        }
        run.input.close()
        #expect(try run.child.wait() == .exited(0))
    }

    @Test func ctrlCStopsWithExitStatus130AndAConsistentStore() throws {
        let run = try hold.startPiped("import", hold.store, "t", "-", "--ack")
        try run.input.write(Array("{\"id\":1}\n".utf8).span)
        #expect(try run.output.read(atMost: 10) == Array("1\n".utf8))
        run.child.interrupt()
        #expect(try run.child.wait() == .exited(130))
        #expect(try hold.text(hold.path("errors")).hasPrefix("imported 1, replaced 0, skipped 0\n"))
        #expect(try hold.run("export", hold.store, "t").lines == [#"{"id":1}"#])
        #expect(try hold.run("put", hold.store, "t", #"{"id":2}"#).ending == .exited(0))
    }

    @Test func aReaderThatStopsEarlyEndsAnExport() throws {
        let outcome = try hold.run("import", hold.store, "t", try file(count: 5_000))
        #expect(outcome.ending == .exited(0))
        let run = try hold.startPiped("export", hold.store, "t")
        _ = try run.output.read(atMost: 100)
        run.output.close()
        #expect(try run.child.wait() == .exited(1))
    }
}
