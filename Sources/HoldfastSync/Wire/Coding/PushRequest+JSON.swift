package import Holdfast

extension PushRequest {
    /// The request as JSON text, each mutation byte for byte as it was frozen.
    ///
    /// - Throws: `JSONError`.
    package func text() throws(JSONError) -> [UInt8] {
        var envelope: JSONObject = [
            "client": .string(client.text), "dataset": .string(dataset.text),
        ]
        envelope["epoch"] = epoch.map { .string($0.text) }
        envelope["ackedThrough"] = .integer(acknowledgedThrough)
        var bytes = try envelope.serialized()
        bytes.removeLast()
        bytes.append(contentsOf: #","ops":["#.utf8)
        for (place, operation) in operations.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: try operation.spliced())
        }
        bytes.append(contentsOf: "]}".utf8)
        return bytes
    }

    /// Reads a request.
    ///
    /// - Throws: ``WireError``.
    package init(text: [UInt8]) throws(WireError) {
        do {
            try self.init(json: JSONObject(parsingMessage: text))
        } catch let error as WireError {
            throw error
        } catch {
            throw WireError("is not JSON: \(error)", at: "")
        }
    }

    /// Reads a request.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) {
        let reader = WireReader(json)
        self.init(
            client: ClientID(try reader.name("client")),
            dataset: try reader.dataset,
            epoch: reader.has("epoch") ? try reader.epoch : nil,
            acknowledgedThrough: try reader.integer("ackedThrough", in: 0...Int64.max),
            operations: try reader.list("ops") { (value, path) throws(WireError) in
                try Operation(value, at: path)
            }
        )
    }
}

extension PushRequest.Operation {
    /// The mutation's text, with what it waits for at this sending as its last field.
    package func spliced() throws(JSONError) -> [UInt8] {
        guard !dependsOn.isEmpty else { return text }
        let list = JSONValue.array(dependsOn.map { .object($0.json) })
        guard text.last == UInt8(ascii: "}") else {
            throw JSONError(.notAnObject, "a mutation's text is an object in braces")
        }
        var bytes = text
        bytes.removeLast()
        bytes.append(contentsOf: #","dependsOn":"#.utf8)
        bytes.append(contentsOf: try list.serialized())
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Takes what it waits for out of a mutation; the text is the rest, in the order of its fields.
    fileprivate init(_ value: JSONValue, at path: String) throws(WireError) {
        guard case .object(var object) = value else {
            throw WireError("has to be an object", at: path)
        }
        let dependsOn = try WireReader(object, at: path).optionalObjects("dependsOn") {
            (reader) throws(WireError) in try reader.record
        }
        object.removeValue(named: "dependsOn")
        do {
            self.init(text: try object.serializedMessage(), dependsOn: dependsOn)
        } catch {
            throw WireError("cannot be written again", at: path)
        }
    }
}
