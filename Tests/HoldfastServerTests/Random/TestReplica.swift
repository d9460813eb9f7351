import Holdfast
import HoldfastSync

/// A replica that only reads: what a client makes of pages.
final class TestReplica {
    struct Copy: Hashable {
        var record: RecordReference
        var scope: ScopeName
        var version: RecordVersion
        var fields: JSONObject

        init(_ change: ServerChange) {
            record = change.record
            scope = change.scope
            version = change.version
            fields = change.fields ?? [:]
        }
    }

    private let client: TestClient
    private var cursors: [ScopeName: SyncCursor] = [:]
    private var records: [RecordReference: Copy] = [:]

    init(_ client: TestClient) { self.client = client }

    var copies: [Copy] { Array(records.values) }

    /// Reads every scope to its end.
    func pull(limit: Int) async throws {
        let hello = try await client.transport.hello(client.credentials)
        for scope in hello.scopes {
            try await pull(scope, limit)
        }
    }

    private func pull(_ scope: ScopeName, _ limit: Int) async throws {
        while true {
            do {
                let page = try await client.page(cursors[scope], scope: scope, limit: limit)
                for change in page.changes { apply(change) }
                cursors[scope] = page.cursor
                if !page.hasMore { return }
            } catch let failure as TransportFailure where failure.kind == .refused(status: 410) {
                try await takeSnapshot(of: scope, limit)
            }
        }
    }

    private func apply(_ change: ServerChange) {
        if let copy = records[change.record], copy.version >= change.version { return }
        switch change.kind {
        case .put: records[change.record] = Copy(change)
        case .delete: records[change.record] = nil
        case .gone:
            if records[change.record]?.scope == change.scope { records[change.record] = nil }
        }
    }

    private func takeSnapshot(of scope: ScopeName, _ limit: Int) async throws {
        var (after, seen): (SyncCursor?, Set<RecordReference>) = (nil, [])
        while true {
            let page = try await client.snapshot(after: after, scope: scope, limit: limit)
            for change in page.records {
                seen.insert(change.record)
                apply(change)
            }
            after = page.next
            guard after == nil else { continue }
            for (record, copy) in records
            where copy.scope == scope && !seen.contains(record) && copy.version <= page.head {
                records[record] = nil
            }
            cursors[scope] = page.cursor
            return
        }
    }
}
