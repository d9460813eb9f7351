/// Keys whose order as unsigned bytes is the order of the values that they are made of.
///
/// The key of several values is their keys, one behind the other. No key is the beginning of
/// another one, so that the first values decide first. What a key looks like:
///
/// | value | bytes |
/// | --- | --- |
/// | null, or a missing field | `02` |
/// | false, true | `03`, `04` |
/// | number | `05`, then ``IndexKeyWriter/append(floor:remainder:)`` |
/// | text | `06`, then its UTF-8 with `00` as `01 01` and `01` as `01 02`, then `00` |
/// | array | `07`, then the keys of its elements, then `00` |
/// | object | `08`, then name and value of its fields by the bytes of their names, then `00` |
///
/// Of a text, an array or an object at most ``payloadLimit`` bytes follow the first byte; a longer
/// one is cut there and ends with `FF`, which is the last byte of no other key. A cut key still
/// stands at or before every greater value's key, but values that are cut alike have equal keys
/// and have to be compared themselves. Nothing must follow a cut key: it could not order further.
package enum IndexKey {
    /// The bytes behind the first one that are kept; 16 values fit the engine's longest index key.
    package static let payloadLimit = 253
    /// The last byte of a key that was cut.
    static let cutMark: UInt8 = 0xFF

    /// Appends the key of a value.
    ///
    /// - Returns: Whether it was cut; then nothing must follow it.
    package static func append(_ value: JSONValue, to key: inout [UInt8]) -> Bool {
        var writer = IndexKeyWriter()
        let isCut = writer.append(value)
        writer.buffer.withByteView { $0.append(to: &key) }
        return isCut
    }

    /// Appends what the keys of all texts that begin with `prefix` begin with.
    ///
    /// - Returns: Whether it was cut, so that keys of other texts begin with it too.
    package static func appendPrefix(_ prefix: String, to key: inout [UInt8]) -> Bool {
        var writer = IndexKeyWriter()
        let isCut = writer.append(prefix: prefix)
        writer.buffer.withByteView { $0.append(to: &key) }
        return isCut
    }

    /// Whether a key ends with a value that was cut.
    package static func isTruncated(_ key: RawSpan) -> Bool {
        key.withByteView { $0.count > 0 && $0[$0.count - 1] == cutMark }
    }
}
