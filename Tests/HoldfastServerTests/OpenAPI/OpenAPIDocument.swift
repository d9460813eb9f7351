import Foundation
import Holdfast

/// openapi.yaml, and what it says of a message.
struct OpenAPIDocument {
    let root: JSONValue

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "openapi.yaml")
        root = try YAMLReader.read(String(contentsOf: file, encoding: .utf8))
    }

    /// Each path with its methods.
    var operations: [(path: String, method: String)] {
        root["paths"].object.flatMap { path, methods in
            methods.object.map { (path, $0.name) }
        }
    }

    /// The schema of a request's body, or of a response's.
    func schema(
        _ path: String,
        _ method: String,
        status: Int?,
        type: String
    ) -> JSONValue? {
        let operation = root["paths"][path][method]
        let message =
            status.map { status in
                let responses = operation["responses"]
                let exact = responses["\(status)"]
                return resolved(exact == .null ? responses["default"] : exact)
            } ?? operation["requestBody"]
        let schema = message["content"][type]["schema"]
        return schema == .null ? nil : schema
    }

    /// The parameters of an operation.
    func parameters(_ path: String, _ method: String) -> [JSONValue] {
        root["paths"][path][method]["parameters"].array.map(resolved)
    }

    private func resolved(_ value: JSONValue) -> JSONValue {
        guard case .string(let reference) = value["$ref"] else { return value }
        return reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] }
    }

    // MARK: Schemas

    /// What is wrong with a value, by a schema: where, and why.
    func problems(_ value: JSONValue, _ schema: JSONValue, at path: String = "") -> [String] {
        let schema = resolved(schema)
        if case .array(let choices) = schema["anyOf"] {
            let fits = choices.contains { self.problems(value, $0, at: path).isEmpty }
            return fits ? [] : ["\(path): is none of what it may be"]
        }
        var problems: [String] = []
        let types = schema["type"].array.isEmpty ? [schema["type"]] : schema["type"].array
        if schema["type"] != .null, !types.contains(where: { value.hasType($0) }) {
            return ["\(path): has another type than \(schema["type"])"]
        }
        if case .array(let words) = schema["enum"], !words.contains(value) {
            problems.append("\(path): is not one of \(words)")
        }
        problems += bounds(value, schema, path)
        if case .array(let items) = value, schema["items"] != .null {
            for (index, item) in items.enumerated() {
                problems += self.problems(item, schema["items"], at: "\(path)/\(index)")
            }
        }
        if case .object(let object) = value {
            problems += self.problems(object, schema, at: path)
        }
        return problems
    }

    private func bounds(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        var isInside = true
        switch value {
        case .integer(let number):
            if case .integer(let least) = schema["minimum"] { isInside = number >= least }
            if case .integer(let most) = schema["maximum"] { isInside = isInside && number <= most }
        case .string(let text):
            let count = Int64(text.utf8.count)
            if case .integer(let least) = schema["minLength"] { isInside = count >= least }
            if case .integer(let most) = schema["maxLength"] {
                isInside = isInside && count <= most
            }
        default: break
        }
        return isInside ? [] : ["\(path): is out of bounds"]
    }

    private func problems(_ object: JSONObject, _ schema: JSONValue, at path: String) -> [String] {
        let properties = schema["properties"]
        var problems = schema["required"].array.compactMap { name -> String? in
            guard case .string(let name) = name, object[name] == nil else { return nil }
            return "\(path)/\(name): is missing"
        }
        for (name, value) in object {
            let property = properties[name]
            if property != .null {
                problems += self.problems(value, property, at: "\(path)/\(name)")
            } else if schema["additionalProperties"] == false {
                problems.append("\(path)/\(name): is not in the description")
            }
        }
        return problems
    }
}

extension JSONValue {
    /// A member; null where there is none.
    subscript(name: String) -> JSONValue {
        guard case .object(let object) = self else { return .null }
        return object[name] ?? .null
    }

    var array: [JSONValue] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    var object: JSONObject {
        guard case .object(let object) = self else { return [:] }
        return object
    }

    fileprivate func hasType(_ type: JSONValue) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
            ("integer", .integer), ("number", .integer), ("number", .double), ("null", .null):
            true
        default: false
        }
    }
}
