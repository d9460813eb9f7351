import HoldfastStorage
import HoldfastTesting

/// An input read as edits of a store's files, eight bytes each.
struct FileEdits {
    private static let length = 8
    private static let most = 16

    private let edits: [[UInt8]]

    init(_ bytes: [UInt8]) {
        edits = stride(from: 0, to: bytes.count - Self.length + 1, by: Self.length)
            .prefix(Self.most).map { Array(bytes[$0..<$0 + Self.length]) }
    }

    /// The bytes of an edit, for a target's seeds.
    static func edit(_ operation: UInt8, file: UInt8, at offset: UInt16, value: UInt8) -> [UInt8] {
        [operation, file, UInt8(offset & 0xFF), UInt8(offset >> 8), value, 8, 0, 0]
    }

    /// Does to the files what it says; an edit that fits no file does nothing.
    func apply(to disk: SimulatedDisk) throws {
        for edit in edits {
            let paths = disk.paths.filter { !$0.hasSuffix("/LOCK") }
            guard !paths.isEmpty else { return }
            let path = paths[Int(edit[1]) % paths.count]
            let other = paths[Int(edit[6]) % paths.count]
            try apply(edit, path, other, disk)
        }
    }

    private func apply(
        _ edit: [UInt8],
        _ path: String,
        _ other: String,
        _ disk: SimulatedDisk
    ) throws {
        var bytes = try disk.contents(of: path)
        let offset = Int(edit[2]) | Int(edit[3]) << 8
        let range = (offset..<offset + 1 + Int(edit[5])).clamped(to: bytes.indices)
        switch edit[0] % 9 {
        case 0 where !range.isEmpty: bytes[range.lowerBound] = edit[4]
        case 1 where !range.isEmpty: bytes[range.lowerBound] ^= 1 << (edit[4] & 7)
        case 2: return try disk.fill(range, of: path, with: edit[4])
        case 3: return try disk.truncate(path, to: min(offset, bytes.count + 4_096))
        case 4: return try disk.swap(path, other)
        case 5: return try disk.remove(path)
        case 6: return try disk.duplicate(path, as: other)
        case 7:
            let source = try disk.contents(of: other)
            let from = range.clamped(to: source.indices)
            if from == range { bytes.replaceSubrange(range, with: source[from]) }
        case 8:
            let target = (range.lowerBound + Int(edit[7]) * 64) % max(1, bytes.count)
            let end = min(bytes.count, target + range.count)
            bytes.replaceSubrange(target..<end, with: bytes[range].prefix(end - target))
        default: return
        }
        try disk.replace(path, with: bytes)
    }
}
