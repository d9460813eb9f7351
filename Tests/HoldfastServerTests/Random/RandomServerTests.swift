import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Testing

/// Long random histories, compared with an oracle, followed by replicas, and checked for what
/// always has to hold.
struct RandomServerTests {
    @Test(arguments: 0..<16)
    func everyAnswerIsTheOraclesAndEveryReplicaEqualsTheServer(seed: UInt64) async throws {
        var run = try await RandomRun(seed: seed)
        for _ in 0..<40 { try await run.step() }
        try await run.settle()
    }
}

/// One random history.
private struct RandomRun {
    private let seed: UInt64
    private var random: SeededRandom
    private let subject: LocalSubject
    private var clients: [TestClient] = []
    private var replicas: [TestReplica] = []
    private var records: [RecordReference: RecordOracle] = [:]
    private var versions: Set<RecordVersion> = []
    /// The newest version that an answer told.
    private var head = RecordVersion(0)

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        subject = try await LocalSubject(overHTTP: seed % 2 == 0)
        subject.grant(ScopeName("team"), to: "ann", true)
        for name in ["phone", "tablet", "watch"] {
            let client = try await TestClient(subject, name)
            clients.append(client)
            replicas.append(TestReplica(client))
        }
    }

    private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private var note: Comment { "seed \(seed)" }

    mutating func step() async throws {
        switch pick(20) {
        case 0:
            let purged = records.filter { $0.value.current.map { $0.object == nil } ?? false }
            try await subject.purge()
            for record in purged.keys { records[record]?.isPurged = true }
        case 1:
            let client = clients[pick(3)]
            client.acknowledged = client.sequence
        case 2...5: try await replicas[pick(3)].pull(limit: 1 + pick(7))
        default: try await push()
        }
        #expect(try subject.server.brokenInvariants() == [], note)
    }

    // MARK: Pushing

    private mutating func push() async throws {
        let client = clients[pick(3)]
        let operations = (0...pick(6)).map { _ in operation(of: client) }
        let results = try await client.push(operations)
        for (operation, result) in zip(operations, results) { check(operation, result) }
        if pick(3) > 0 { return }
        let before = try await everything()
        let again = try await client.push(operations)
        #expect(again.allSatisfy { $0.status == .replayed }, note)
        #expect(again.map(\.original) == results.map(\.status), note)
        #expect(again.map(\.version) == results.map(\.version), note)
        #expect(try await everything() == before, note)
    }

    private func everything() async throws -> [ServerChange] {
        var changes: [ServerChange] = []
        for scope in ["all", "team"] {
            var after: SyncCursor?
            repeat {
                let page = try await clients[0].snapshot(after: after, scope: ScopeName(scope))
                changes += page.records
                after = page.next
            } while after != nil
        }
        return changes
    }

    private mutating func operation(of client: TestClient) -> PushOperation {
        let id = RecordID(Int64(pick(8)))
        let record = RecordReference("notes", id)
        let base = base(of: record)
        switch pick(10) {
        case 0...2:
            var fields = fields()
            fields["id"] = .string(id.text)
            let force: PushOperation.Force = pick(5) == 0 ? .record : .nothing
            return client.operation(.put, id, base: base, fields, force: force)
        case 3...6 where base != nil: return patch(id, base, client)
        case 7: return client.operation(.delta, id, ["votes": .integer(Int64(pick(5)) + 1)])
        default:
            let force: PushOperation.Force = pick(4) == 0 ? .record : .nothing
            return client.operation(.delete, id, base: base, force: force)
        }
    }

    private mutating func patch(
        _ id: RecordID,
        _ base: RecordVersion?,
        _ client: TestClient
    ) -> PushOperation {
        let fields = fields()
        let unset = ["x", "y", "scope"].filter { fields[$0] == nil && pick(4) == 0 }
        let forced = (fields.map(\.name) + unset).filter { _ in pick(4) == 0 }
        // Without a field it would change nothing, and is another rule.
        guard !fields.isEmpty || !unset.isEmpty else {
            return client.operation(.patch, id, base: base, ["z": 1])
        }
        return client.operation(
            .patch,
            id,
            base: base,
            fields,
            unset: unset,
            force: forced.isEmpty ? .nothing : .fields(Set(forced)),
            merge: pick(3) == 0 ? .none : .fields
        )
    }

    /// A version that the record has or had, or that another has.
    private mutating func base(of record: RecordReference) -> RecordVersion? {
        let states = records[record]?.states ?? []
        switch pick(10) {
        case 0: return nil
        case 1:
            // One of another record, or one that nobody has.
            let isKnown = pick(2) == 0 && head.number > 0
            return RecordVersion(isKnown ? Int64(pick(Int(head.number))) + 1 : 1_000_000)
        case 2...4 where !states.isEmpty: return states[pick(states.count)].version
        default: return states.last?.version
        }
    }

    private mutating func fields() -> JSONObject {
        var fields = JSONObject()
        for name in ["x", "y"] where pick(2) == 0 { fields[name] = .integer(Int64(pick(3))) }
        if pick(6) == 0 { fields["scope"] = .string(pick(2) == 0 ? "team" : "all") }
        return fields
    }

    private mutating func check(_ operation: PushOperation, _ result: PushResult) {
        var oracle = records[operation.record] ?? RecordOracle()
        let expected = oracle.status(of: operation, head: head)
        #expect(result.status == expected, "\(note) \(operation.key) \(operation.kind)")
        let before = oracle.current?.object
        guard result.status == .applied || result.status == .merged else {
            if result.status == .conflict {
                #expect(result.version == oracle.current?.version, note)
                #expect(result.record == before, note)
            }
            return
        }
        guard let version = result.version else {
            Issue.record("\(note) without a version")
            return
        }
        #expect(versions.insert(version).inserted && version > head, note)
        head = version
        let after = applied(operation, to: before)
        if let record = result.record { #expect(record == after, note) }
        oracle.set(version, after)
        oracle.written[version] = written(by: operation, before)
        records[operation.record] = oracle
    }

    private func applied(_ operation: PushOperation, to object: JSONObject?) -> JSONObject? {
        switch operation.kind {
        case .put: operation.fields
        case .patch: object?.patched(set: operation.fields, unset: operation.unset)
        case .delta: object?.counted(operation.fields)
        case .delete, .action: nil
        }
    }

    private func written(by operation: PushOperation, _ before: JSONObject?) -> Set<String>? {
        switch operation.kind {
        case .patch, .delta: Set(operation.fields.map(\.name) + operation.unset)
        case .put, .delete, .action: nil
        }
    }

    // MARK: The end

    mutating func settle() async throws {
        let expected = Set(try await everything().map { TestReplica.Copy($0) })
        for replica in replicas {
            try await replica.pull(limit: 3)
            #expect(Set(replica.copies) == expected, note)
        }
        let notes = expected.filter { $0.record.table == "notes" }
        #expect(notes.count == records.values.filter { $0.current?.object != nil }.count, note)
        for copy in notes {
            #expect(copy.fields == records[copy.record]?.current?.object, note)
            #expect(copy.version == records[copy.record]?.current?.version, note)
        }
    }
}
