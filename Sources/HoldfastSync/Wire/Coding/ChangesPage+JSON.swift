package import Holdfast

extension ChangesPage {
    /// The page as an object.
    package var json: JSONObject {
        [
            "dataset": .string(dataset.text), "epoch": .string(epoch.text), "scopes": scopes.json,
            "changes": .array(changes.map { .object($0.json) }), "cursor": .string(cursor.text),
            "hasMore": .bool(hasMore),
        ]
    }

    /// Reads a page.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) {
        let reader = WireReader(json)
        guard reader.has("hasMore") else {
            throw reader.failure("has to be true or false", at: "hasMore")
        }
        self.init(
            dataset: try reader.dataset,
            epoch: try reader.epoch,
            scopes: try reader.scopes,
            changes: try reader.objects("changes") { (change) throws(WireError) in
                try ServerChange(change)
            },
            cursor: try reader.cursor("cursor"),
            hasMore: try reader.flag("hasMore")
        )
    }
}
