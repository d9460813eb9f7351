import HoldfastStorage
import Testing

@Suite struct XXH64Tests {
    @Test(
        arguments: [
            (0, 0, 0xEF46_DB37_51D8_E999),
            (0, 2_654_435_761, 0xAC75_FDA2_929B_17EF),
            (1, 0, 0xE934_A84A_DB05_2768),
            (1, 2_654_435_761, 0x5014_6076_43A9_B4C3),
            (4, 0, 0x9136_A0DC_A574_57EE),
            (14, 0, 0x8282_DCC4_994E_35C8),
            (14, 2_654_435_761, 0xC3BD_6BF6_3DEB_6DF0),
            (222, 0, 0xB641_AE8C_B691_C174),
            (222, 2_654_435_761, 0x20CB_8AB7_AE10_C14A),
        ] as [(Int, UInt64, UInt64)]
    )
    func publishedVectorsHold(count: Int, seed: UInt64, expected: UInt64) {
        let bytes = noise(count: count)
        let hash = unsafe XXH64.hash(of: bytes.span.bytes, seed: seed)
        #expect(hash == expected)
    }

    @Test func everyLengthAndAlignmentAgreesWithTheSpecification() {
        let bytes = noise(count: 216)
        for start in 0..<16 {
            for count in 0..<200 {
                let part = start..<start + count
                let actual = unsafe XXH64.hash(
                    of: bytes.span.bytes.extracting(part),
                    seed: UInt64(start)
                )
                #expect(actual == specified(Array(bytes[part]), seed: UInt64(start)))
            }
        }
    }

    /// The hash as xxHash's specification words it, byte by byte.
    private func specified(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
        var rest = bytes[...]
        var hash = seed &+ prime[5]
        if bytes.count >= 32 {
            var lanes = [seed &+ prime[1] &+ prime[2], seed &+ prime[2], seed, seed &- prime[1]]
            while rest.count >= 32 {
                for lane in lanes.indices { lanes[lane] = round(lanes[lane], take(8, &rest)) }
            }
            hash = zip(lanes, [1, 7, 12, 18]).reduce(0) { $0 &+ rotate($1.0, $1.1) }
            for lane in lanes { hash = (hash ^ round(0, lane)) &* prime[1] &+ prime[4] }
        }
        hash &+= UInt64(bytes.count)
        while rest.count >= 8 {
            hash = rotate(hash ^ round(0, take(8, &rest)), 27) &* prime[1] &+ prime[4]
        }
        if rest.count >= 4 {
            hash = rotate(hash ^ take(4, &rest) &* prime[1], 23) &* prime[2] &+ prime[3]
        }
        while !rest.isEmpty {
            hash = rotate(hash ^ take(1, &rest) &* prime[5], 11) &* prime[1]
        }
        hash = (hash ^ (hash >> 33)) &* prime[2]
        hash = (hash ^ (hash >> 29)) &* prime[3]
        return hash ^ (hash >> 32)
    }

    private func take(_ count: Int, _ bytes: inout ArraySlice<UInt8>) -> UInt64 {
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func rotate(_ value: UInt64, _ count: Int) -> UInt64 {
        value << count | value >> (64 - count)
    }

    private func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime[2], 31) &* prime[1]
    }

    private let prime: [UInt64] = [
        0, 0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9,
        0x85EB_CA77_C2B2_AE63, 0x27D4_EB2F_1656_67C5,
    ]
}
