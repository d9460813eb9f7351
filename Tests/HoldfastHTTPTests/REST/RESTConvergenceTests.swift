import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastNetwork
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Synchronization
import Testing

/// Devices that sync by an API that knows nothing of the protocol.
@Suite(.timeLimit(.minutes(20))) struct RESTConvergenceTests {
    private struct Device {
        let store: Store
        let engine: SyncEngine
    }

    private static let schema = Schema(version: 1) {
        Table("notes").synced(SyncRules(fields: ["tags": .set]))
    }

    private static let configuration = {
        var configuration = SyncConfiguration()
        configuration.debounce = .zero
        configuration.backoffBase = .milliseconds(1)
        configuration.backoffCap = .milliseconds(4)
        configuration.deadline = .seconds(3_600)
        configuration.massDeleteCount = 1_000
        return configuration
    }()

    private func device(
        _ api: any HTTPExchange,
        _ description: RESTAPI,
        token: @escaping SyncEngine.TokenProvider = { _ in "secret" }
    ) async throws -> Device {
        let store = try await Store(storage: MemoryStorage(), schema: Self.schema)
        var limits = TransportLimits()
        limits.timeout = .seconds(3_000)
        let engine = try SyncEngine(
            store: store,
            transport: RESTTransport(api, api: description, limits: limits),
            configuration: Self.configuration,
            token: token
        )
        engine.start()
        return Device(store: store, engine: engine)
    }

    private func records(_ device: Device) throws -> [String: JSONObject] {
        let all = try device.store.read { try $0.fetch(Query("notes")) }
        return Dictionary(all.map { ($0["id"]?.stringValue ?? "", $0) }) { first, _ in first }
    }

    @Test func twoDevicesMeetAndSayThatTheyAreSynced() async throws {
        let api = ExampleAPI()
        let (phone, laptop) = (
            try await device(api, .example), try await device(api, .example)
        )
        try await phone.store.write { try $0.put(["id": "a", "title": "Milk"], in: "notes") }
        try await phone.engine.waitForSync()
        try await laptop.engine.waitForSync()
        #expect(try records(laptop) == api.records("notes"))
        // Both edit the same record; each knows nothing of the other's edit.
        try await phone.store.write { try $0.patch("a", in: "notes", with: ["title": "Oat milk"]) }
        try await laptop.store.write { try $0.patch("a", in: "notes", with: ["done": true]) }
        for device in [phone, laptop, phone] { try await device.engine.waitForSync() }
        let both: JSONObject = ["id": "a", "title": "Oat milk", "done": true]
        #expect(api.records("notes")["a"] == both)
        // Whoever deletes it with that in mind deletes it.
        try await laptop.engine.waitForSync()
        try await laptop.store.write { _ = try $0.delete("a", in: "notes") }
        for device in [laptop, phone] { try await device.engine.waitForSync() }
        #expect(api.records("notes").isEmpty)
        #expect(try records(phone).isEmpty && records(laptop).isEmpty)
        for device in [phone, laptop] { await device.engine.stop() }
    }

    @Test func anEditWinsAgainstADeletionThatForgetsTheRecord() async throws {
        let api = ExampleAPI()
        let phone = try await device(api, .example)
        try await phone.store.write { try $0.put(["id": "a", "title": "Milk"], in: "notes") }
        try await phone.engine.waitForSync()
        api.decide { _ in .requestLost }
        try await phone.store.write { try $0.patch("a", in: "notes", with: ["title": "Oat milk"]) }
        api.write(nil, at: "/notes/a")
        api.decide { _ in .answered }
        try await phone.engine.waitForSync()
        #expect(api.records("notes")["a"] == ["id": "a", "title": "Oat milk"])
        await phone.engine.stop()
    }

    /// S20.
    @Test func aTokenThatExpiresIsRenewedOnceAndTheOrderIsKept() async throws {
        let api = ExampleAPI()
        let refreshes = Mutex(0)
        api.decide { request in
            request.head.headers["Authorization"] == "Bearer new"
                ? .answered : .instead(ExampleAPI.problem(401, "Expired."))
        }
        let phone = try await device(api, .example) { rejected in
            guard rejected != nil else { return "old" }
            refreshes.withLock { $0 += 1 }
            return "new"
        }
        try await phone.store.write { transaction in
            for number in 0..<5 {
                try transaction.put(["id": .string("n\(number)")], in: "notes")
            }
        }
        try await phone.engine.waitForSync()
        #expect(refreshes.withLock { $0 } == 1)
        #expect(api.records("notes").count == 5)
        await phone.engine.stop()
    }

    @Test func aRefusedRecordHoldsUpNoOther() async throws {
        let api = ExampleAPI()
        let phone = try await device(api, .example)
        try await phone.store.write { transaction in
            try transaction.put(["id": "bad", "title": ""], in: "notes")
            try transaction.put(["id": "good", "title": "Milk"], in: "notes")
        }
        let status = try await phone.engine.sync()
        #expect(status.attention == 1 && !status.isSynced)
        #expect(api.records("notes").keys.sorted() == ["good"])
        // The edit is the retry.
        try await phone.store.write { try $0.patch("bad", in: "notes", with: ["title": "Bread"]) }
        try await phone.engine.waitForSync()
        #expect(api.records("notes").count == 2)
        await phone.engine.stop()
    }

    @Test(arguments: 0..<24)
    func devicesAgreeWhateverTheNetworkLoses(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let api = ExampleAPI(isTalkative: seed % 2 == 0)
        var description = RESTAPI.example
        description.edits = seed % 3 == 0 ? .mergePatch : .whole
        description.keepsLedger = seed % 4 == 0
        let fates = Mutex(SplitMix64(seed: UInt64(seed) &+ 1_000))
        api.decide { _ in
            switch fates.withLock({ $0.next(below: 10) }) {
            case 0: .requestLost
            case 1, 2: .answerLost
            case 3: .instead(ExampleAPI.problem(503, "Later."))
            default: .answered
            }
        }
        var devices: [Device] = []
        for _ in 0..<3 { devices.append(try await device(api, description)) }
        for step in 0..<40 {
            let device = devices[random.next(below: 3)]
            let id = "n\(random.next(below: 6))"
            let value = JSONValue.string("s\(step)")
            let field = ["title", "text", "tags"][random.next(below: 3)]
            let kind = random.next(below: 8)
            try await device.store.write { transaction in
                guard let old = try transaction.get(RecordID(id), in: "notes") else {
                    try transaction.put(
                        ["id": .string(id), "title": value, "tags": []],
                        in: "notes"
                    )
                    return
                }
                if kind == 0 {
                    _ = try transaction.delete(RecordID(id), in: "notes")
                } else if field == "tags" {
                    let tags = old["tags"]?.arrayValue ?? []
                    let all = JSONValue.array(tags + [value])
                    try transaction.patch(RecordID(id), in: "notes", with: ["tags": all])
                } else {
                    try transaction.patch(
                        RecordID(id),
                        in: "notes",
                        with: JSONObject([(field, value)])
                    )
                }
            }
            if step % 5 == 0 { _ = try await device.engine.sync() }
        }
        api.decide { _ in .answered }
        var isAtRest = false
        for _ in 0..<20 where !isAtRest {
            for device in devices { try await device.engine.waitForSync() }
            isAtRest = try devices.allSatisfy { try records($0) == api.records("notes") }
        }
        #expect(isAtRest, "seed \(seed)")
        for device in devices { await device.engine.stop() }
    }
}
