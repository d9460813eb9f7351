import Holdfast
import HoldfastServer
import HoldfastSync
import HoldfastTesting
import Testing

/// A server that greets and lets read, and fails at what it is sent.
@Suite(.timeLimit(.minutes(20))) struct FailingServerTests {
    @Test func aServerThatFailsAtEveryPushIsNotAskedForEachChangeAtOnce() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        world.server.fail(with: .status(500), of: [.push], times: nil)
        for number in 0..<100 { try await replica.put(["id": .string("n\(number)")]) }
        let count = replica.sent.count
        try await replica.run(for: .seconds(600))
        #expect(replica.sent.count - count < 60)
        #expect(try replica.status.pending == 100 && !replica.status.isSynced)
        // Once it is well again, everything goes within the longest delay.
        world.server.removeFaults()
        try await replica.run(for: .seconds(900))
        #expect(try replica.status.isSynced && world.records().count == 100)
    }

    @Test func aChangeThatTheServerFailsAtKeepsNothingElseBack() async throws {
        var configuration = SyncServerConfiguration()
        // Not a name that a scope can have: the server's own mistake.
        configuration.scope = { record, _, _ in ScopeName(record.id == "n3" ? "" : "all") }
        let world = try await ScenarioWorld(configuration)
        let replica = try await world.syncedReplica()
        for number in 0..<20 { try await replica.put(["id": .string("n\(number)")]) }
        try await replica.run(for: .seconds(60))
        #expect(try replica.status.pending == 1 && world.records().count == 19)
        #expect(try replica.status(of: "n4") == .confirmed)
    }
}
