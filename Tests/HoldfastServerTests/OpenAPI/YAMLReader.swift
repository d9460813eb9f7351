import Foundation
import Holdfast

/// Reads the part of YAML that openapi.yaml is written in, and refuses the rest.
struct YAMLReader {
    struct Failure: Error { let line: Int }

    private let lines: [(number: Int, indent: Int, text: String)]
    private var place = 0

    static func read(_ text: String) throws -> JSONValue {
        var reader = YAMLReader(text)
        let value = try reader.block(at: 0)
        guard reader.place == reader.lines.count else { throw reader.failure }
        return value
    }

    private init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .compactMap { number, line in
                let body = line.drop { $0 == " " }
                if body.isEmpty || body.hasPrefix("#") { return nil }
                return (number + 1, line.count - body.count, String(body))
            }
    }

    private var failure: Failure { Failure(line: place < lines.count ? lines[place].number : 0) }

    private mutating func block(at indent: Int) throws -> JSONValue {
        guard place < lines.count, lines[place].indent == indent else { throw failure }
        return lines[place].text.hasPrefix("- ") ? try list(at: indent) : try map(at: indent)
    }

    private mutating func list(at indent: Int) throws -> JSONValue {
        var items: [JSONValue] = []
        while place < lines.count, lines[place].indent == indent, lines[place].text.hasPrefix("- ")
        {
            let rest = String(lines[place].text.dropFirst(2))
            if Self.key(of: rest) == nil {
                items.append(try scalar(rest))
                place += 1
            } else {
                // The map's first key stands behind the dash, the others below it.
                items.append(try map(at: indent + 2, first: rest))
            }
        }
        return .array(items)
    }

    private mutating func map(at indent: Int, first: String? = nil) throws -> JSONValue {
        var object = JSONObject()
        var first = first
        while place < lines.count, first != nil || lines[place].indent == indent {
            let text = first ?? lines[place].text
            guard let (key, rest) = Self.key(of: text), object[key] == nil else { throw failure }
            first = nil
            if rest.isEmpty {
                place += 1
                guard place < lines.count, lines[place].indent > indent else { throw failure }
                object[key] = try block(at: lines[place].indent)
            } else {
                object[key] = try scalar(rest)
                place += 1
            }
        }
        return .object(object)
    }

    private static func key(of text: String) -> (key: String, rest: String)? {
        guard let colon = text.range(of: text.hasPrefix("\"") ? "\":" : ":") else { return nil }
        let rest = text[colon.upperBound...]
        guard rest.isEmpty || rest.hasPrefix(" ") else { return nil }
        let key = text[..<colon.lowerBound].drop { $0 == "\"" }
        return (String(key), String(rest.drop { $0 == " " }))
    }

    private func scalar(_ text: String) throws -> JSONValue {
        if text.hasPrefix("[") {
            guard text.hasSuffix("]") else { throw failure }
            let items = text.dropFirst().dropLast().split(separator: ",")
            return .array(try items.map { try scalar(String($0.drop { $0 == " " })) })
        }
        if text.hasPrefix("\"") {
            guard text.count > 1, text.hasSuffix("\"") else { throw failure }
            return .string(String(text.dropFirst().dropLast()))
        }
        guard let first = text.first, !"{&*!|>'%@`".contains(first) else { throw failure }
        if let number = Int64(text) { return .integer(number) }
        return text == "true" ? true : text == "false" ? false : .string(text)
    }
}
