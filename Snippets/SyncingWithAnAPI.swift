import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastStorage
import HoldfastSync

let schema = Schema(version: 1) { Table("notes").synced() }

/// An API with records at `notes/ID`, entity tags that are numbers, and `changes?since=POSITION`.
func notesAPI() -> RESTAPI {
    RESTAPI(dataset: DatasetID("notes.example.com")) { pull in
        RESTRequest("changes", query: ["since": pull.cursor ?? "0", "limit": "\(pull.limit)"])
    } page: { response, _ in
        let page: Page = try response.decode()
        let records = try page.items.map { item in
            RESTRecord(
                RecordReference("notes", try RecordID(item.id)),
                version: RecordVersion(item.version),
                fields: item.note
            )
        }
        return RESTPage(records: records, cursor: "\(page.next)", hasMore: page.more)
    }
}

/// What the API answers; a note that is deleted is missing.
struct Page: Codable {
    struct Item: Codable {
        var id: String
        var version: Int64
        var note: JSONObject?
    }

    var items: [Item]
    var next: Int64
    var more: Bool
}

/// A device that syncs with the API.
func device(_ url: URL, token: String) async throws -> SyncEngine {
    let store = try await Store(storage: MemoryStorage(), schema: schema)
    let transport = try RESTTransport(baseURL: url, api: notesAPI())
    let engine = try SyncEngine(store: store, transport: transport) { rejected in
        rejected == nil ? token : nil
    }
    engine.start()
    return engine
}

// Nobody answers here: what is written waits.
guard let url = URL(string: "http://127.0.0.1:1/") else { preconditionFailure("this is a URL") }
let engine = try await device(url, token: "secret")
try await engine.store.write { try $0.put(["id": "1", "title": "Bread"], in: "notes") }
print(try engine.status(of: RecordReference("notes", "1")))
await engine.stop()
