/// How records stand in a file.
package enum RecordFormat: String, CaseIterable, Sendable {
    /// A JSON object on each line.
    case jsonl
    /// One JSON array of objects.
    case json
    /// RFC 4180 with a header row.
    case csv

    /// The format that a file's name tells; JSON Lines when it tells none.
    package init(fileName: String) {
        let name = fileName.lowercased()
        if name.hasSuffix(".csv") {
            self = .csv
        } else if name.hasSuffix(".json") {
            self = .json
        } else {
            self = .jsonl
        }
    }
}
