package import Holdfast

extension ServerHello {
    /// The answer as an object.
    package var json: JSONObject {
        var object: JSONObject = [
            "dataset": .string(dataset.text), "epoch": .string(epoch.text),
            "epochStart": .integer(epochStart.number), "protocol": protocols.json,
        ]
        if let schemas { object["schema"] = schemas.json }
        object["scopes"] = scopes.json
        object["limits"] = [
            "operations": .integer(Int64(maximumOperations)),
            "bytes": .integer(Int64(maximumBytes)),
            "page": .integer(Int64(maximumPage)),
        ]
        object["keyRetention"] = .integer(keyRetention.components.seconds)
        object["floor"] = .integer(floor.number)
        return object
    }

    /// Reads an answer.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) {
        let reader = WireReader(json)
        let limits = try reader.reader("limits")
        self.init(
            dataset: try reader.dataset,
            epoch: try reader.epoch,
            epochStart: reader.has("epochStart")
                ? try reader.version("epochStart", from: 0) : RecordVersion(0),
            protocols: try reader.range("protocol"),
            schemas: reader.has("schema") ? try reader.range("schema") : nil,
            scopes: try reader.scopes,
            maximumOperations: try limits.count("operations"),
            maximumBytes: try limits.count("bytes"),
            maximumPage: try limits.count("page"),
            keyRetention: .seconds(try reader.integer("keyRetention", in: 0...Int64(Int32.max))),
            floor: try reader.version("floor", from: 0)
        )
    }
}

extension ClosedRange<Int> {
    fileprivate var json: JSONValue {
        ["min": .integer(Int64(lowerBound)), "max": .integer(Int64(upperBound))]
    }
}

extension WireReader {
    fileprivate func count(_ name: String) throws(WireError) -> Int {
        Int(try integer(name, in: 1...Int64(Int32.max)))
    }

    fileprivate func range(_ name: String) throws(WireError) -> ClosedRange<Int> {
        let bounds = try reader(name)
        let least = try bounds.integer("min", in: 0...Int64(Int32.max))
        return Int(least)...Int(try bounds.integer("max", in: least...Int64(Int32.max)))
    }
}
