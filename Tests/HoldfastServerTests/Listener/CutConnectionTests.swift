import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Synchronization
import Testing

/// Connections that end at every byte of a request and of its response.
@Suite struct CutConnectionTests {
    private static let rules = SyncRules(fields: ["votes": .counter])
    private static let schema = Schema(version: 1) { Table("notes").synced(rules) }

    /// Where a connection ends: in what was sent, or in what came back.
    enum Side: CaseIterable { case request, response }

    /// Whatever the cut, a push has one effect, once it is sent again until it is answered.
    @Test(arguments: Side.allCases)
    func aCutAtAnyByteOfAPushHasOneEffect(side: Side) async throws {
        let served = try await ServedStore()
        try await served.server.write { _ = try $0.put(["votes": 0], of: "n", in: "notes") }
        let hello = try await served.server.hello(principal: Principal("ann"))
        let cut = Mutex<FaultProxy.Cut>(FaultProxy.Cut())
        let box = CutBox(cut)
        let proxy = try FaultProxy(before: served.listener.port) { _ in box.value }
        let url = try ServerURL("http://127.0.0.1:\(proxy.port)")
        var place = 0
        var isWhole = false
        while !isWhole {
            box.value =
                side == .request
                ? FaultProxy.Cut(afterSending: place) : FaultProxy.Cut(afterReceiving: place)
            let operation = PushOperation.counting(place)
            let request = PushRequest(
                client: ClientID("phone"),
                dataset: hello.dataset,
                acknowledgedThrough: 0,
                operations: [PushRequest.Operation(text: try operation.text())]
            )
            let transport = SocketTransport(url, limits: .patient, now: { 0 })
            let first = try? await transport.push(request, SyncCredentials(token: "ann"))
            isWhole = first != nil
            box.value = FaultProxy.Cut()
            let again = try await transport.push(request, SyncCredentials(token: "ann"))
            #expect([.applied, .replayed].contains(again.results[0].status))
            place += 1
        }
        #expect(place > 100)
        let note = try served.server.store.read { try $0.get("n", in: "notes") }
        #expect(note?["votes"] == .integer(Int64(place)))
    }

    /// An engine whose every connection is cut a little later than the one before drains all the
    /// same, and counts each change once.
    @Test(arguments: [1, 7, 50])
    func anEngineDrainsThroughConnectionsThatAreCut(step: Int) async throws {
        let store = try await Store(storage: MemoryStorage(), schema: Self.schema)
        let served = try await ServedStore(try await SyncServer(store: store))
        let proxy = try FaultProxy(before: served.listener.port) { number in
            number % 2 == 0
                ? FaultProxy.Cut(afterSending: number * step * 2)
                : FaultProxy.Cut(afterReceiving: number * step * 2)
        }
        let url = try ServerURL("http://127.0.0.1:\(proxy.port)")
        var configuration = SyncConfiguration()
        configuration.backoffBase = .milliseconds(1)
        configuration.backoffCap = .milliseconds(2)
        configuration.deadline = .patient
        let local = try await Store(storage: MemoryStorage(), schema: Self.schema)
        let engine = try SyncEngine(
            store: local,
            transport: SocketTransport(url, limits: .patient, now: { 0 }),
            configuration: configuration,
            token: { _ in "ann" }
        )
        engine.start()
        for number in 1...20 {
            try await local.write { transaction in
                if try transaction.get("n", in: "notes") == nil {
                    try transaction.put(["id": "n", "votes": 0], in: "notes")
                }
                try transaction.increment("votes", of: "n", in: "notes")
                try transaction.put(["id": .string("m\(number)")], in: "notes")
            }
        }
        try await engine.waitForSync()
        await engine.stop()
        #expect(proxy.count > 1)
        let here = try local.read { try $0.fetch(Query("notes")) }
        let there = try store.read { try $0.fetch(Query("notes")) }
        #expect(here == there && there.count == 21)
        #expect(try store.read { try $0.get("n", in: "notes")?["votes"] } == 20)
    }

    private final class CutBox: Sendable {
        private let cut: Mutex<FaultProxy.Cut>

        init(_ cut: consuming sending Mutex<FaultProxy.Cut>) { self.cut = cut }

        var value: FaultProxy.Cut {
            get { cut.withLock { $0 } }
            set { cut.withLock { $0 = newValue } }
        }
    }
}

extension PushOperation {
    /// A mutation that counts one vote, under a key of its own.
    fileprivate static func counting(_ number: Int) -> PushOperation {
        PushOperation(
            key: MutationKey("k\(number)"),
            sequence: Int64(number + 1),
            record: RecordReference("notes", "n"),
            kind: .delta,
            fields: ["votes": 1]
        )
    }
}
