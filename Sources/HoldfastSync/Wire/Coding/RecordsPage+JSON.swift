package import Holdfast

extension RecordsPage {
    /// The answer as an object.
    package var json: JSONObject {
        [
            "dataset": .string(dataset.text), "epoch": .string(epoch.text),
            "records": .array(records.map { .object($0.json) }),
        ]
    }

    /// Reads an answer.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) {
        let reader = WireReader(json)
        self.init(
            dataset: try reader.dataset,
            epoch: try reader.epoch,
            records: try reader.objects("records") { (record) throws(WireError) in
                try ServerChange(record)
            }
        )
    }
}
