import Holdfast

extension ChangesRequest {
    /// The request's parameters; `wait` is in milliseconds.
    package var query: [QueryItem] {
        var items = [QueryItem("client", client.text), QueryItem("scope", scope.text)]
        if let dataset { items.append(QueryItem("dataset", dataset.text)) }
        if let cursor { items.append(QueryItem("cursor", cursor.text)) }
        items.append(QueryItem("limit", String(limit)))
        items += .tables(tables)
        if wait > .zero { items.append(QueryItem("wait", String(wait.wholeMilliseconds))) }
        return items
    }

    /// Reads the parameters of a request.
    ///
    /// - Throws: ``WireError``.
    package init(query: [QueryItem]) throws(WireError) {
        let reader = try QueryReader(query)
        self.init(
            client: ClientID(try reader.required("client")),
            dataset: try reader.optional("dataset").map { DatasetID($0) },
            scope: ScopeName(try reader.required("scope", atMost: WireLimits.nameBytes)),
            cursor: try reader.optional("cursor", atMost: WireLimits.cursorBytes)
                .map { SyncCursor($0) },
            limit: try reader.limit,
            tables: try reader.tables,
            wait: .milliseconds(try reader.number("wait", in: 0...Int64(Int32.max), default: 0))
        )
    }
}

extension SnapshotRequest {
    /// The request's parameters.
    package var query: [QueryItem] {
        var items = [QueryItem("client", client.text), QueryItem("scope", scope.text)]
        if let dataset { items.append(QueryItem("dataset", dataset.text)) }
        if let after { items.append(QueryItem("after", after.text)) }
        items.append(QueryItem("limit", String(limit)))
        return items + .tables(tables)
    }

    /// Reads the parameters of a request.
    ///
    /// - Throws: ``WireError``.
    package init(query: [QueryItem]) throws(WireError) {
        let reader = try QueryReader(query)
        self.init(
            client: ClientID(try reader.required("client")),
            dataset: try reader.optional("dataset").map { DatasetID($0) },
            scope: ScopeName(try reader.required("scope", atMost: WireLimits.nameBytes)),
            after: try reader.optional("after", atMost: WireLimits.cursorBytes)
                .map { SyncCursor($0) },
            limit: try reader.limit,
            tables: try reader.tables
        )
    }
}

extension RecordsRequest {
    /// The request's parameters.
    package var query: [QueryItem] {
        [QueryItem("client", client.text), QueryItem("table", table.text)]
            + ids.map { QueryItem("id", $0.text) }
    }

    /// Reads the parameters of a request.
    ///
    /// - Throws: ``WireError``.
    package init(query: [QueryItem]) throws(WireError) {
        let reader = try QueryReader(query)
        guard let table = try reader.tables?.first else {
            throw WireError("is missing", at: "table")
        }
        var ids: [RecordID] = []
        for text in try reader.all("id", atMost: RecordID.maximumBytes) {
            guard let id = try? RecordID(text) else {
                throw WireError("is not the id of a record", at: "id")
            }
            ids.append(id)
        }
        self.init(client: ClientID(try reader.required("client")), table: table, ids: ids)
    }
}

extension [QueryItem] {
    fileprivate static func tables(_ tables: [TableName]?) -> [QueryItem] {
        (tables ?? []).map { QueryItem("table", $0.text) }
    }
}

extension QueryReader {
    fileprivate var limit: Int {
        get throws(WireError) { Int(try number("limit", in: 1...Int64(Int32.max), default: 500)) }
    }

    /// The tables; `nil` for all, where none is named.
    fileprivate var tables: [TableName]? {
        get throws(WireError) {
            var tables: [TableName] = []
            for text in try all("table", atMost: TableName.maximumBytes) {
                guard let table = try? TableName(text) else {
                    throw WireError("is not the name of a table", at: "table")
                }
                tables.append(table)
            }
            return tables.isEmpty ? nil : tables
        }
    }
}

extension Duration {
    /// The milliseconds that have passed in full, at most as many as a request may ask for.
    fileprivate var wholeMilliseconds: Int64 {
        let limit = Int64(Int32.max)
        guard components.seconds < limit / 1_000 else { return limit }
        return components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
