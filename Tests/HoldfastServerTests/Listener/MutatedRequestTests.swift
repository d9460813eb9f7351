import Foundation
import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Requests in which bytes were changed, taken out or put in.
@Suite struct MutatedRequestTests {
    /// How many; `HOLDFAST_MUTATIONS=100000` for a long run by hand.
    private static let count =
        ProcessInfo.processInfo.environment["HOLDFAST_MUTATIONS"].flatMap { Int($0) } ?? 2_000

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func aServerThatIsFedMutatedRequestsLivesAndKeepsItsRecords(seed: UInt64) async throws {
        let served = try await ServedStore()
        let first = try await served.pushText(1)
        #expect(try await served.push(first).status == 200)
        let samples = [
            "GET /sync/changes?client=c&scope=all&limit=5 HTTP/1.1\r\nHost: h\r\n"
                + "Authorization: Bearer ann\r\n\r\n",
            "POST /sync/push HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(first.utf8.count)\r\n\r\n"
                + first,
            "POST /sync/push HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(String(first.utf8.count, radix: 16))\r\n\(first)\r\n0\r\n\r\n",
        ]
        var random = SplitMix64(seed: seed)
        for _ in 0..<Self.count / 4 {
            var bytes = Array(samples[Int.random(in: 0..<samples.count, using: &random)].utf8)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                Self.mutate(&bytes, &random)
            }
            let client = try await served.connect()
            try? await client.stream.write(bytes, patience: .patient)
            client.stream.finishSending()
            let answer = try await client.rest()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 "), "seed \(seed)")
            #expect(!answer.hasPrefix("HTTP/1.1 500"), "seed \(seed): \(answer)")
        }
        #expect(try await served.get("/health").status == 200, "seed \(seed)")
        let note = try served.server.store.read { try $0.get("n1", in: "notes") }
        #expect(note?["title"] == "Note 1", "seed \(seed)")
        await served.listener.stop(grace: .patient)
        #expect(served.listener.connectionCount == 0)
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(Array("\r\n:; 0,9".utf8).randomElement(using: &random) ?? 0, at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
        }
    }
}
