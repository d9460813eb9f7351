package import Holdfast

extension PushResponse {
    /// The answer as an object.
    package var json: JSONObject {
        [
            "dataset": .string(dataset.text), "epoch": .string(epoch.text),
            "results": .array(results.map { .object($0.json) }),
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
            results: try reader.objects("results") { (result) throws(WireError) in
                try PushResult(result)
            }
        )
    }
}

extension PushResult {
    /// The result as an object.
    package var json: JSONObject {
        var object: JSONObject = ["key": .string(key.text), "status": .string(status.rawValue)]
        if let original { object["original"] = .string(original.rawValue) }
        if let version { object["version"] = .integer(version.number) }
        if form > 0 { object["form"] = .integer(Int64(form)) }
        if let record { object["record"] = .object(record) }
        if isTombstone { object["tombstone"] = true }
        if let scope { object["scope"] = .string(scope.text) }
        if let problem { object["problem"] = .object(problem.json) }
        return object
    }

    /// Reads a result.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) { try self.init(WireReader(json)) }

    package init(_ reader: WireReader) throws(WireError) {
        self.init(
            key: MutationKey(try reader.name("key")),
            status: try reader.word("status"),
            original: reader.has("original") ? try reader.word("original") : nil,
            version: try reader.optionalVersion("version"),
            form: try reader.form,
            record: try reader.optionalObject("record"),
            isTombstone: try reader.flag("tombstone"),
            scope: reader.has("scope")
                ? ScopeName(try reader.name("scope", atMost: WireLimits.nameBytes)) : nil,
            problem: reader.has("problem")
                ? try SyncProblem(reader.reader("problem")) : nil
        )
    }
}
