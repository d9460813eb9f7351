/// One row of a CSV file.
package struct CSVRow: Hashable, Sendable {
    /// The line that it begins on, from 1.
    package let line: Int
    /// Its fields as text.
    package let fields: [String]
}
