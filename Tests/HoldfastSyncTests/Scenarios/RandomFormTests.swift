import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Two versions of the app side by side, at random: after the update all are equal, every value is in
/// the new form, and nothing was counted twice or not at all.
@Suite(.timeLimit(.minutes(20))) struct RandomFormTests {
    private struct Device {
        var replica: Replica
        var storage: MemoryStorage
        var isOld: Bool
    }

    private static let ids: [RecordID] = ["a", "b", "c", "d", "e", "f"]

    @Test(arguments: 0..<15, [true, false])
    func allIsInTheNewFormAndCountedOnceAfterTheUpdate(
        seed: UInt64,
        serverKnowsSchema: Bool
    ) async throws {
        let random = SharedRandom(seed: seed &* 31 &+ 7)
        let world = try await ScenarioWorld(
            schema: FormScenarioTests.first,
            knowsSchema: serverKnowsSchema
        )
        let devices = try await devices(in: world)
        let replicas = devices.map(\.replica)
        for id in Self.ids {
            let device = devices[Int(random.next() % (serverKnowsSchema ? 2 : 4))]
            try await device.replica.put(record(id, isOld: device.isOld))
            try await device.replica.sync()
        }
        for replica in replicas { try await replica.sync() }
        var votes: [RecordID: Int64] = [:]
        for step in 0..<64 {
            if step == 30, serverKnowsSchema {
                try await world.update(to: FormScenarioTests.second, replicas)
            }
            // What is clean at the update is not to be touched by it.
            if step == 60, seed.isMultiple(of: 2) {
                for replica in replicas + replicas { try await replica.sync() }
            }
            let device = devices[Int(random.next() % 4)]
            // Some records the old version only reads.
            let id = Self.ids[Int(random.next() % (device.isOld ? 3 : 6))]
            if random.next() % 8 == 0 { world.server.fail(with: .lostAnswer, of: [.push]) }
            try await act(device, id, random, &votes)
        }
        world.server.removeFaults()
        for device in devices where device.isOld {
            try await device.replica.reopen(on: device.storage, schema: FormScenarioTests.second)
        }
        // What a server put off is tried again in its time.
        for replica in replicas { try await replica.run(for: .seconds(1_200)) }
        for _ in 0..<4 {
            for replica in replicas { try await replica.sync() }
        }
        try check(replicas, votes)
    }

    private func devices(in world: ScenarioWorld) async throws -> [Device] {
        var devices: [Device] = []
        for isOld in [true, true, false, false] {
            let storage = MemoryStorage()
            let schema = isOld ? FormScenarioTests.first : FormScenarioTests.second
            let replica = try await world.replica(on: storage, schema: schema)
            devices.append(Device(replica: replica, storage: storage, isOld: isOld))
        }
        return devices
    }

    private func record(_ id: RecordID, isOld: Bool) -> JSONObject {
        var record: JSONObject = ["id": .string(id.text), "price": isOld ? 1 : 100, "votes": 0]
        if isOld {
            record["name"] = "Ada Lovelace"
        } else {
            record["first"] = "Ada"
            record["last"] = "Lovelace"
        }
        return record
    }

    private func act(
        _ device: Device,
        _ id: RecordID,
        _ random: SharedRandom,
        _ votes: inout [RecordID: Int64]
    ) async throws {
        let number = Int64(random.next() % 9 + 1)
        let word = ["Ada", "Alan", "Grace"][Int(random.next() % 3)]
        switch random.next() % 7 {
        case 0:
            let price = device.isOld ? number : number * 100
            try await patch(device, id, ["price": .integer(price)])
        case 1:
            let name: JSONObject =
                device.isOld
                ? ["name": .string("\(word) Hopper")] : ["first": .string(word), "last": "Hopper"]
            try await patch(device, id, name)
        case 2: try await patch(device, id, ["color": .integer(number)])
        case 3:
            votes[id, default: 0] += number
            try await device.replica.write {
                try $0.increment("votes", of: id, in: "notes", by: number)
            }
        case 4: try await device.replica.restart()
        default: try await device.replica.sync()
        }
    }

    private func patch(_ device: Device, _ id: RecordID, _ fields: JSONObject) async throws {
        try await device.replica.write { try $0.patch(id, in: "notes", with: fields) }
    }

    private func check(_ replicas: [Replica], _ votes: [RecordID: Int64]) throws {
        let expected = try replicas[3].records()
        #expect(expected.count == 6)
        for replica in replicas {
            let status = try replica.status
            #expect(status.isSynced && status.pending == 0 && status.unstepped == 0, "\(status)")
            #expect(try replica.records() == expected)
            #expect(replica.sent.count < 500, "it goes round in circles")
        }
        for record in expected {
            let id = try RecordID(#require(record["id"]?.stringValue))
            #expect(record["name"] == nil && record["first"] != nil && record["last"] != nil)
            let price = try #require(record["price"]?.integerValue)
            #expect((100...900).contains(price) && price.isMultiple(of: 100), "\(record)")
            #expect(record["votes"] == .integer(votes[id] ?? 0), "\(record)")
        }
    }
}
