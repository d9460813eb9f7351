import HoldfastStorage

/// A file of written space, to see what the disk itself takes for a commit.
final class RawDisk: Sendable {
    private static let size = 8 << 20
    private static let recordBytes = 256

    private let file: any File

    init(at path: String) throws {
        file = try POSIXFileSystem().open(path, .createIfMissing)
        let zeros = [UInt8](repeating: 0, count: Self.size)
        try file.write(unsafe zeros.span.bytes, at: 0)
        try file.sync()
    }

    /// Overwrites 256 bytes and syncs them.
    func writeAndSync(_ number: Int) throws {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.recordBytes)
        let place = number % (Self.size / Self.recordBytes) * Self.recordBytes
        try file.write(unsafe bytes.span.bytes, at: UInt64(place))
        try file.sync()
    }

    deinit { file.close() }
}
