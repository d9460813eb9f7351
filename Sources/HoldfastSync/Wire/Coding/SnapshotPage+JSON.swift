package import Holdfast

extension SnapshotPage {
    /// The page as an object.
    package var json: JSONObject {
        var object: JSONObject = [
            "dataset": .string(dataset.text), "epoch": .string(epoch.text),
            "scopes": scopes.json, "head": .integer(head.number),
            "records": .array(records.map { .object($0.json) }),
        ]
        if !lost.isEmpty { object["lost"] = .array(lost.map { .object($0.json) }) }
        if let next { object["next"] = .string(next.text) }
        object["cursor"] = .string(cursor.text)
        return object
    }

    /// Reads a page.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) {
        let reader = WireReader(json)
        self.init(
            dataset: try reader.dataset,
            epoch: try reader.epoch,
            lost: try reader.optionalObjects("lost") { (range) throws(WireError) in
                let first = try range.version("first")
                let last = try range.integer("last", in: first.number...Int64.max)
                return first...RecordVersion(last)
            },
            scopes: try reader.scopes,
            head: try reader.version("head", from: 0),
            records: try reader.objects("records") { (record) throws(WireError) in
                try ServerChange(record)
            },
            next: reader.has("next") ? try reader.cursor("next") : nil,
            cursor: try reader.cursor("cursor")
        )
    }
}

extension ClosedRange<RecordVersion> {
    fileprivate var json: JSONObject {
        ["first": .integer(lowerBound.number), "last": .integer(upperBound.number)]
    }
}
