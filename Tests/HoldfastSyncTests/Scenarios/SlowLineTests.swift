import Holdfast
import HoldfastSync
import HoldfastTesting
import Testing

/// A line on which much does not come in time, and little does.
@Suite(.timeLimit(.minutes(20))) struct SlowLineTests {
    @Test func aPageThatIsTooLargeForTheLineComesInParts() async throws {
        let world = try await ScenarioWorld()
        for number in 0..<100 { try await world.serverPut(["id": .string("n\(number)")]) }
        let replica = try await world.replica()
        replica.distortion = { request, answer in
            let limit: Int =
                switch request {
                case .changes(let request): request.limit
                case .snapshot(let request): request.limit
                default: 0
                }
            return limit > 12 ? .failure(TransportFailure(.timedOut)) : answer
        }
        try await replica.run(for: .seconds(900))
        #expect(try replica.records() == world.records())
        #expect(try replica.status.isSynced)
        #expect(replica.sent.count < 200)
    }

    @Test func aPushThatIsTooLargeForTheLineGoesInParts() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        replica.distortion = { request, answer in
            guard case .push(let push) = request, push.operations.count > 8 else { return answer }
            return .failure(TransportFailure(.timedOut))
        }
        try await replica.write { transaction in
            for number in 0..<100 {
                try transaction.put(["id": .string("n\(number)")], in: "notes")
            }
        }
        try await replica.run(for: .seconds(900))
        #expect(try world.records().count == 100 && replica.status.isSynced)
        #expect(replica.pushes.contains { $0.operations.count <= 8 })
    }

    @Test func aLineThatIsFastAgainCarriesWholePages() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        replica.distortion = { request, answer in
            guard case .changes = request else { return answer }
            return .failure(TransportFailure(.timedOut))
        }
        try await replica.run(for: .seconds(900))
        replica.distortion = { $1 }
        try await replica.run(for: .seconds(900))
        let limits = replica.sent.compactMap { outgoing -> Int? in
            guard case .changes(let request) = outgoing else { return nil }
            return request.limit
        }
        #expect(limits.last == limits.max() && limits.contains { $0 < 100 })
    }
}
