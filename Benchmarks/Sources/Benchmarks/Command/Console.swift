import Foundation

/// What is said while the benchmarks run, apart from their results.
enum Console {
    /// A line for people.
    static func message(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
