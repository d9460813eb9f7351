/// The first twelve bytes of each of a store's files, and the check at the end of its header.
///
/// As PNG's does, the signature shows what a transfer as text does to a file: a high bit, both
/// kinds of line ends, and the end-of-file mark of DOS.
struct FileSignature: Hashable {
    /// The one letter in which the signatures of the files differ.
    let letter: UInt8

    static let segment = FileSignature(letter: UInt8(ascii: "S"))
    static let identity = FileSignature(letter: UInt8(ascii: "I"))
    static let checkpoint = FileSignature(letter: UInt8(ascii: "K"))
    static let closed = FileSignature(letter: UInt8(ascii: "C"))
    static let retired = FileSignature(letter: UInt8(ascii: "R"))

    /// The format that this code writes.
    static let version: UInt32 = 1

    private var magic: [UInt8] { [0x89, 0x48, 0x46, letter, 0x0d, 0x0a, 0x1a, 0x0a] }

    /// A header of `length` bytes: signature, version, length, then `content`, zeros, the check.
    func header(length: Int, _ content: (inout ByteBuffer) -> Void) -> [UInt8] {
        var buffer = ByteBuffer(capacity: length)
        unsafe buffer.append(magic.span.bytes)
        buffer.append(Self.version)
        buffer.append(UInt32(length))
        content(&buffer)
        buffer.appendZeros(length - 4 - buffer.count)
        let check = buffer.withBytes(0..<buffer.count) { CRC32C.checksum(of: $0, seed: 0) }
        buffer.append(check)
        var bytes: [UInt8] = []
        buffer.copy(to: &bytes)
        return bytes
    }

    /// Whether an intact header of this kind, of `minimum` bytes or more, begins the bytes.
    ///
    /// The length stands in the header, so that an intact header of a later version, which may be
    /// longer, is told from a damaged one.
    ///
    /// - Returns: `false` for anything else.
    /// - Throws: ``StorageError`` `.unsupportedVersion` for an intact header of a later version.
    func isIntact(
        _ bytes: RawSpan,
        minimum: Int,
        path: String
    ) throws(StorageError) -> Bool {
        guard bytes.byteCount >= minimum, [UInt8](bytes.extracting(first: 8)) == magic else {
            return false
        }
        let length = Int(bytes.integer(at: 12, as: UInt32.self))
        guard (minimum...DoubledRecord.stride).contains(length), length <= bytes.byteCount,
            bytes.integer(at: length - 4)
                == CRC32C.checksum(of: bytes.extracting(first: length - 4), seed: 0)
        else { return false }
        let version: UInt32 = bytes.integer(at: 8)
        guard version == Self.version else {
            throw .unsupportedVersion(found: version, path: path)
        }
        return true
    }
}
