public import Holdfast

/// A migration that breaks a promise: what was found, and on which way.
public struct MigrationViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found.
    public let finding: String
    /// The versions that the store was opened with, the fixture's first.
    public internal(set) var path: [Int] = []
    /// The table that it is about.
    public let table: TableName?
    /// The record that it is about.
    public let id: RecordID?
    /// What the store was opened after, where that was a crash.
    public internal(set) var crash: String?

    init(_ finding: String, table: TableName? = nil, id: RecordID? = nil) {
        self.finding = finding
        self.table = table
        self.id = id
    }

    /// The finding, the record, the way and the crash.
    public var description: String {
        var text = finding
        if let table { text += " (table \(table)" + (id.map { ", id \($0)" } ?? "") + ")" }
        if !path.isEmpty {
            text += "\n  opened with version " + path.map(String.init).joined(separator: ", then ")
        }
        if let crash { text += "\n  after \(crash)" }
        return text
    }
}
