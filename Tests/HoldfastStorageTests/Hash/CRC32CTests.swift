import HoldfastStorage
import Testing

@Suite struct CRC32CTests {
    @Test(arguments: published)
    func publishedVectorsHold(bytes: [UInt8], expected: UInt32) {
        #expect(checksum(of: bytes) == expected)
    }

    @Test func everyLengthAndAlignmentAgreesWithTheBitwiseDefinition() {
        let bytes = noise(count: 216)
        for start in 0..<16 {
            for count in 0..<200 {
                let part = start..<start + count
                let actual = unsafe CRC32C.checksum(
                    of: bytes.span.bytes.extracting(part),
                    seed: UInt32(count)
                )
                #expect(actual == bitwise(bytes[part], seed: UInt32(count)))
            }
        }
    }

    @Test func theChecksumOfOnePartSeedsTheNext() {
        let bytes = noise(count: 100)
        let whole = checksum(of: bytes)
        for cut in 0...100 {
            let first = checksum(of: Array(bytes[..<cut]))
            #expect(checksum(of: Array(bytes[cut...]), seed: first) == whole)
        }
    }

    private static let published: [([UInt8], UInt32)] = [
        ([UInt8](repeating: 0x00, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        ([UInt8](0..<32), 0x46DD_794E),
        ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
        (readCommand, 0xD996_3A56),
        ([UInt8]("123456789".utf8), 0xE306_9283),
        ([], 0),
    ]

    /// The iSCSI read command of RFC 3720, appendix B.4.
    private static let readCommand: [UInt8] = [
        0x01, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00,
        0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18, 0x28, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    ]

    private func checksum(of bytes: [UInt8], seed: UInt32 = 0) -> UInt32 {
        unsafe CRC32C.checksum(of: bytes.span.bytes, seed: seed)
    }

    private func bitwise(_ bytes: ArraySlice<UInt8>, seed: UInt32) -> UInt32 {
        var register = ~seed
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                register = register & 1 == 1 ? (register >> 1) ^ 0x82F6_3B78 : register >> 1
            }
        }
        return ~register
    }
}
