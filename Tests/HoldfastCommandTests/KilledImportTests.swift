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
        let pipe = try Pipe()
        let child = try hold.start(
            "import",
            hold.store,
            "t",
            try file(count: 20_000),
            "--ack",
            "--batch",
            "50",
            output: pipe.writeEnd
        )
        pipe.writeEnd.close()
        var printed: [UInt8] = []
        while ids(in: printed).count < killAfter {
            let bytes = try pipe.readEnd.read(atMost: 4_096)
            try #require(!bytes.isEmpty)
            printed += bytes
        }
        child.kill()
        while case let bytes = try pipe.readEnd.read(atMost: 65_536), !bytes.isEmpty {
            printed += bytes
        }
        #expect(try child.wait() == .killed(signal: 9))
        let acknowledged = ids(in: printed)
        #expect(acknowledged == Array(0..<acknowledged.count))
        let stored = Set(try hold.run("export", hold.store, "t").lines)
        #expect(acknowledged.allSatisfy { stored.contains(record($0)) })
        #expect(stored.count.isMultiple(of: 50))
    }

    @Test func aClosedPipeIsExitStatus1AndKeepsWhatWasCommitted() throws {
        // More ids than a pipe holds, so that the import cannot end before it is closed.
        let pipe = try Pipe()
        let child = try hold.start(
            "import",
            hold.store,
            "t",
            try file(count: 20_000),
            "--ack",
            "--batch",
            "50",
            output: pipe.writeEnd
        )
        pipe.writeEnd.close()
        let printed = try pipe.readEnd.read(atMost: 4_096)
        pipe.readEnd.close()
        #expect(try child.wait() == .exited(1))
        #expect(try hold.text(hold.path("errors")).contains("hold: error: "))
        let stored = Set(try hold.run("export", hold.store, "t").lines)
        #expect(ids(in: printed).allSatisfy { stored.contains(record($0)) })
        #expect(stored.count < 20_000)
    }

    @Test(arguments: ["1", "1000"])
    func aSlowInputIsCommittedAndAcknowledgedAsItComes(_ batch: String) throws {
        let input = try Pipe()
        let output = try Pipe()
        let child = try hold.start(
            "import",
            hold.store,
            "t",
            "-",
            "--ack",
            "--batch",
            batch,
            input: input.readEnd,
            output: output.writeEnd
        )
        input.readEnd.close()
        output.writeEnd.close()
        for number in 1...3 {
            try input.writeEnd.write(Array("{\"id\":\(number)}\n".utf8).span)
            #expect(try output.readEnd.read(atMost: 10) == Array("\(number)\n".utf8))
        }
        input.writeEnd.close()
        #expect(try child.wait() == .exited(0))
    }

    @Test func ctrlCStopsWithExitStatus130AndAConsistentStore() throws {
        let input = try Pipe()
        let output = try Pipe()
        let child = try hold.start(
            "import",
            hold.store,
            "t",
            "-",
            "--ack",
            input: input.readEnd,
            output: output.writeEnd
        )
        output.writeEnd.close()
        try input.writeEnd.write(Array("{\"id\":1}\n".utf8).span)
        #expect(try output.readEnd.read(atMost: 10) == Array("1\n".utf8))
        child.interrupt()
        #expect(try child.wait() == .exited(130))
        #expect(try hold.text(hold.path("errors")).hasPrefix("imported 1, replaced 0, skipped 0\n"))
        #expect(try hold.run("export", hold.store, "t").lines == [#"{"id":1}"#])
        #expect(try hold.run("put", hold.store, "t", #"{"id":2}"#).ending == .exited(0))
    }

    @Test func aReaderThatStopsEarlyEndsAnExport() throws {
        let outcome = try hold.run("import", hold.store, "t", try file(count: 5_000))
        #expect(outcome.ending == .exited(0))
        let pipe = try Pipe()
        let child = try hold.start("export", hold.store, "t", output: pipe.writeEnd)
        pipe.writeEnd.close()
        _ = try pipe.readEnd.read(atMost: 100)
        pipe.readEnd.close()
        #expect(try child.wait() == .exited(1))
    }
}
