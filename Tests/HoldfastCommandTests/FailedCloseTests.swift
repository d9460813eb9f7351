import HoldfastCommand
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct FailedCloseTests {
    @Test func aFailedCloseTakesNoAcknowledgedRecordBack() throws {
        let hold = try Hold()
        let run = try hold.startPiped("import", hold.store, "t", "-", "--ack")
        try run.input.write(Array("{\"id\":1}\n".utf8).span)
        #expect(try run.output.read(atMost: 10) == Array("1\n".utf8))
        // Where closing writes its file, it finds a directory, which it cannot remove.
        let obstacle = hold.store + "/closed.tmp"
        try FileManager.default.createDirectory(
            atPath: obstacle,
            withIntermediateDirectories: false
        )
        run.input.close()
        #expect(try run.child.wait() == .exited(0))
        let errors = try hold.text(hold.path("errors")).split(separator: "\n")
        #expect(errors.count == 2)
        #expect(errors.first == "imported 1, replaced 0, skipped 0")
        #expect(errors.last?.hasPrefix("hold: warning: closing the store failed") == true)
        #expect(errors.last?.hasSuffix("records are durable; the next open recovers") == true)
        try FileManager.default.removeItem(atPath: obstacle)
        #expect(try hold.run("export", hold.store, "t").lines == [#"{"id":1}"#])
        #expect(try hold.run("put", hold.store, "t", #"{"id":2}"#).ending == .exited(0))
    }
}
