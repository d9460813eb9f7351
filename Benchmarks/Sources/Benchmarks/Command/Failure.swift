/// What went wrong, for the person who runs the benchmarks.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
