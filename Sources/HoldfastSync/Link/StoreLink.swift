package import Holdfast

/// What a store without a schema remembers of being synced: `hold` syncs such stores, and no app.
///
/// All tables are synced but the local ones, also those that come later.
package struct StoreLink: Hashable, Sendable {
    /// Where the server is; `nil` before the store was synced for the first time.
    package var url: String?
    /// The tables that are no server's affair.
    package var local: Set<TableName> = []
    /// When everything was last confirmed, in milliseconds since 1970 by this device's clock.
    package var lastSync: Int64?

    package init() {}

    /// Whether writes are queued for a server.
    package var isLinked: Bool { url != nil }

    /// Whether writes of a table are queued: not those of what sync itself keeps.
    func syncs(_ table: TableName) -> Bool {
        isLinked && !local.contains(table) && !table.text.hasPrefix("holdfast_")
    }
}

extension StoreLink {
    func encoded() throws -> [UInt8] {
        var object: JSONObject = [:]
        object["url"] = url.map { .string($0) }
        object["local"] = .array(local.sorted().map { .string($0.text) })
        object["lastSync"] = lastSync.map { .integer($0) }
        return try Document.encode(object)
    }

    init(_ bytes: [UInt8]) throws {
        let document = try SyncDocument.decode(bytes[...], of: "the link")
        url = try document.optionalText("url")
        lastSync = try document.optionalInteger("lastSync")
        local = Set(
            try (document.optionalArray("local") ?? []).compactMap { value in
                try value.stringValue.map { try TableName($0) }
            }
        )
    }
}

extension Transaction where Self: ~Copyable {
    /// What is remembered of a link; an empty one where there is none.
    package func storeLink() throws -> StoreLink {
        try systemValue(for: SyncKey.link).map { try StoreLink($0) } ?? StoreLink()
    }
}

extension WriteTransaction {
    /// Remembers a link.
    package mutating func set(_ link: StoreLink) throws {
        try putSystem(link.encoded(), for: SyncKey.link)
    }
}
