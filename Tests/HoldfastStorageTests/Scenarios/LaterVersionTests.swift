import HoldfastStorage
import HoldfastTesting
import Testing

/// What this version does with features of later ones (FORMAT.md, "Segment header").
@Suite struct LaterVersionTests {
    /// A store of one commit in a segment whose header has a feature bit set at `offset`.
    private static func store(featureAt offset: Int) async throws -> TestStore {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        try await storage.close()
        try store.disk.remove(TestStore.path + "/closed")
        var bytes = try store.disk.contents(of: TestStore.segment(1))
        for start in [0, 4_096] {
            bytes[start + offset] = 1
            bytes.setCheck(over: start..<start + 124)
        }
        bytes.rechain()
        try store.disk.replace(TestStore.segment(1), with: bytes)
        return store
    }

    @Test func anUnknownCompatibleFeatureDoesNotMatter() async throws {
        let store = try await Self.store(featureAt: 16)
        let storage = try await store.open()
        #expect(try storage.contents() == ["first": "1"])
        try await storage.put("2", for: "second")
        try await storage.close()
        #expect(try await store.open().contents().count == 2)
        #expect(try store.disk.contents(of: TestStore.segment(1))[16] == 1)
    }

    @Test func anUnknownWriterFeatureMayBeReadAndNotWritten() async throws {
        let store = try await Self.store(featureAt: 20)
        #expect(await code { _ = try await store.open() } == .unsupportedVersion)
        #expect(try await store.follow().contents() == ["first": "1"])
    }

    @Test func anUnknownIncompatibleFeatureIsRefused() async throws {
        let store = try await Self.store(featureAt: 24)
        #expect(await code { _ = try await store.open() } == .unsupportedVersion)
        #expect(await code { _ = try await store.follow() } == .unsupportedVersion)
    }
}

extension [UInt8] {
    /// Puts the check of a range behind it.
    fileprivate mutating func setCheck(over range: Range<Int>) {
        let check = CRC32C.checksum(of: unsafe Array(self[range]).span.bytes)
        for byte in 0..<4 {
            self[range.upperBound + byte] = UInt8(truncatingIfNeeded: check >> (8 * byte))
        }
    }

    private func word(at offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(self[offset + $1]) << (8 * UInt64($1)) }
    }

    /// Makes the frames follow from the header again, as FORMAT.md has it.
    fileprivate mutating func rechain() {
        let salt = word(at: 56)
        var chain = unsafe XXH64.hash(of: Array(self[..<128]).span.bytes, seed: salt)
        var offset = 8_192
        while self[offset + 4] != 0 {
            for byte in 0..<8 {
                self[offset + 32 + byte] = UInt8(truncatingIfNeeded: chain >> (8 * UInt64(byte)))
            }
            let mixed = salt ^ (UInt64(offset) &* 0x9e37_79b9_7f4a_7c15)
            let check = CRC32C.checksum(
                of: unsafe Array(self[offset + 4..<offset + 48]).span.bytes,
                seed: UInt32(truncatingIfNeeded: mixed ^ mixed >> 32)
            )
            for byte in 0..<4 {
                self[offset + byte] = UInt8(truncatingIfNeeded: check >> (8 * byte))
            }
            chain = unsafe XXH64.hash(of: Array(self[offset..<offset + 48]).span.bytes, seed: salt)
            let length = Int(self[offset + 8]) | Int(self[offset + 9]) << 8
            offset += 48 + (length + 7) & ~7
        }
    }
}
