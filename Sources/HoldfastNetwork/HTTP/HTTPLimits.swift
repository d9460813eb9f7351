/// How large the parts of a message may be.
package struct HTTPLimits: Hashable, Sendable {
    /// The bytes of the first line and all fields.
    package var headBytes = 16_384
    /// The number of fields.
    package var fields = 100
    /// The bytes of the target.
    package var targetBytes = 8_192
    /// The bytes of the body.
    package var bodyBytes = 1 << 20
    /// The bytes of a chunk's line, and of all trailers.
    package var chunkLineBytes = 1_024

    package init() {}
}
