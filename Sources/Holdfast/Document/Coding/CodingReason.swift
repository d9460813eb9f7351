/// What this coding itself says of a value that does not fit; it quotes no value.
///
/// It marks the errors of this coding among those of apps, whose own `init(from:)` and
/// `encode(to:)` may throw the same errors with what users wrote in them.
struct CodingReason: Error {
    let text: String
}

extension DecodingError.Context {
    /// The context of an error of this coding.
    init(_ reason: String, at path: [any CodingKey]) {
        let marker = CodingReason(text: reason)
        self.init(codingPath: path, debugDescription: reason, underlyingError: marker)
    }
}

extension EncodingError.Context {
    /// The context of an error of this coding.
    init(_ reason: String, at path: [any CodingKey]) {
        let marker = CodingReason(text: reason)
        self.init(codingPath: path, debugDescription: reason, underlyingError: marker)
    }
}
