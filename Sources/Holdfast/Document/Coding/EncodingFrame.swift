/// A value that is being written.
struct EncodingFrame {
    /// What the value turned out to be.
    enum Shape {
        case unknown
        case scalar
        case array
        case object
    }

    /// Where its tag is, or where the fields of a record begin.
    let start: Int
    var shape = Shape.unknown
    /// Where the content of an array or an object begins.
    var contentStart = 0
    /// How many elements an array has.
    var count = 0
    /// A bit for each field name so far, so that most names are known to be new at once.
    var namesSeen: UInt64 = 0

    init(start: Int) { self.start = start }
}
