package import Holdfast

/// One record of an input, or why there is none at its place.
package enum InputRecord: Sendable {
    /// A record, and its place for messages.
    case record(JSONObject, InputPlace)
    /// Something that is not a record; what follows it can still be read.
    case bad(InputPlace, String)
}

/// A place in an input, as people count.
package enum InputPlace: Hashable, Sendable, CustomStringConvertible {
    /// A line, from 1.
    case line(Int)
    /// An element of an array, from 1.
    case element(Int)

    /// Such as `line 3`.
    package var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .element(let number): "element \(number) of the array"
        }
    }
}
