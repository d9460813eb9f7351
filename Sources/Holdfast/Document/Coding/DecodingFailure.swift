/// Why a value cannot be decoded; whoever knows the coding path makes a `DecodingError` of it.
enum DecodingFailure: Error {
    /// The value is of a kind that the type cannot be made of.
    case wrongKind(expected: any Any.Type, tag: UInt8)
    /// The value is of the right kind, and still is not one of the type.
    case invalid(String)

    /// The error that apps know.
    func decodingError(at path: [any CodingKey]) -> DecodingError {
        switch self {
        case .wrongKind(let expected, DocumentTag.null):
            .valueNotFound(expected, .init(Self.null, at: path))
        case .wrongKind(let expected, let tag):
            .typeMismatch(expected, .init("Found \(Self.kind(of: tag)) instead.", at: path))
        case .invalid(let message):
            .dataCorrupted(.init(message, at: path))
        }
    }

    private static let null =
        "Found null where the type wants a value: make the property optional."

    private static func kind(of tag: UInt8) -> String {
        switch tag {
        case DocumentTag.null: "null"
        case DocumentTag.true, DocumentTag.false: "a bool"
        case DocumentTag.int8...DocumentTag.double: "a number"
        case DocumentTag.smallInteger..<DocumentTag.shortText: "a number"
        case DocumentTag.array: "an array"
        case DocumentTag.object, Document.version: "an object"
        default: "a text"
        }
    }
}
