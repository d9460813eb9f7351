import HoldfastStorage
import HoldfastTesting
import Testing

/// Every byte: a closed store of three segments, and one that was killed.
@Suite struct DamageProofTests {
    private static let workload: [CrashOperation] = [
        .put(1, length: 60), .put(2, length: 200), .put(3, length: 300), .delete(1),
        .put(2, length: 300), .commit([.put(key: 4, length: 8), .put(key: 5, length: 8)], .synced),
    ]
    static let segments = (1...3).map { "store/000000000000000\($0).segment" }
    private static let firstFrame = 8_192

    private static func closed() async throws -> DamageProof {
        try await DamageProof(.journal(), workload)
    }

    /// The last commit is proven by nothing that was written later, and the one before it only by
    /// the last one, which stands in the same sector.
    private static func killed(unproven: Int = 2) async throws -> DamageProof {
        try await DamageProof(.journal(), workload, isClosed: false, unproven: unproven)
    }

    @Test func theStoreHasThreeSegmentsAndOpens() async throws {
        let proof = try await Self.closed()
        #expect(try await proof.check { _ in } == .intact(commits: 6))
        let paths = proof.image.afterKill().paths
        #expect(Set(paths).isSuperset(of: Self.segments + ["store/closed", "store/identity"]))
        #expect(try await Self.killed().check { _ in } == .intact(commits: 6))
    }

    @Test(arguments: segments)
    func aSegmentTruncatedAnywhereKeepsEveryProvenCommitOrIsNamed(path: String) async throws {
        for proof in [try await Self.closed(), try await Self.killed()] {
            let size = try proof.image.afterKill().contents(of: path).count
            let lengths = (0..<size).filter { $0 >= Self.firstFrame || $0 % 301 == 0 }
            for length in lengths {
                try await proof.check { try $0.truncate(path, to: length) }
            }
        }
    }

    @Test(arguments: segments + ["store/identity", "store/closed"])
    func anyFlippedBitKeepsEveryProvenCommitOrIsNamed(path: String) async throws {
        let proof = try await Self.closed()
        let bytes = try proof.image.afterKill().contents(of: path)
        for bit in bits(of: bytes) {
            try await proof.check { try $0.flipBit(bit, of: path) }
        }
    }

    @Test func anyFlippedBitOfAKilledStoresLastSegmentKeepsAllButTheLastCommit() async throws {
        let proof = try await Self.killed(unproven: 1)
        let path = Self.segments[2]
        let bytes = try proof.image.afterKill().contents(of: path)
        for bit in bits(of: bytes) where bit / 8 >= Self.firstFrame {
            try await proof.check { try $0.flipBit(bit, of: path) }
        }
    }

    @Test(arguments: segments, [UInt8(0), 0xFF])
    func anyOverwrittenSectorIsNamedOrHarmless(path: String, byte: UInt8) async throws {
        for proof in [try await Self.closed(), try await Self.killed()] {
            for start in stride(from: 0, to: 8_704, by: 512) {
                try await proof.check { try $0.fill(start..<start + 512, of: path, with: byte) }
            }
        }
    }

    @Test(arguments: segments)
    func aSectorOfAnotherPlaceOrFileIsNamedOrHarmless(path: String) async throws {
        let proof = try await Self.closed()
        let files = try Self.segments.map { try proof.image.afterKill().contents(of: $0) }
        let target = try proof.image.afterKill().contents(of: path)
        for source in files {
            for start in [0, 4_096, 8_192] {
                for end in [0, 4_096, 8_192] {
                    var bytes = target
                    bytes.replaceSubrange(end..<end + 512, with: source[start..<start + 512])
                    try await proof.check { try $0.replace(path, with: bytes) }
                }
            }
        }
    }

    @Test func aRemovedSegmentIsNamed() async throws {
        for proof in [try await Self.closed(), try await Self.killed()] {
            for path in Self.segments.dropLast() {
                #expect(try await proof.check { try $0.remove(path) } == .named(.corruption))
            }
            let all = try await proof.check { disk in
                for path in disk.paths where path.hasSuffix(".segment") { try disk.remove(path) }
            }
            #expect(all == .named(.corruption))
        }
        let last = try await Self.closed().check { try $0.remove(Self.segments[2]) }
        #expect(last == .named(.corruption))
    }

    @Test func swappedAndDuplicatedSegmentsAreNamed() async throws {
        let proof = try await Self.closed()
        for first in Self.segments {
            for second in Self.segments where first != second {
                let swapped = try await proof.check { try $0.swap(first, second) }
                #expect(swapped == .named(.corruption))
                let doubled = try await proof.check { try $0.duplicate(first, as: second) }
                #expect(doubled == .named(.corruption))
            }
            let next = "store/0000000000000004.segment"
            let added = try await proof.check { try $0.duplicate(first, as: next) }
            #expect(added == .named(.corruption))
        }
    }

    @Test func aSegmentOfAnotherStoreIsNamed() async throws {
        let other = try await DamageProof(.journal(), Self.workload, seed: 2).image.afterKill()
        for path in Self.segments {
            let bytes = try other.contents(of: path)
            let outcome = try await Self.closed().check { try $0.replace(path, with: bytes) }
            #expect(outcome == .named(.corruption))
        }
    }

    @Test func withoutItsWitnessesAClosedStoreIsWhole() async throws {
        let proof = try await Self.closed()
        for path in ["store/closed", "store/LOCK"] {
            #expect(try await proof.check { try $0.remove(path) } == .intact(commits: 6))
        }
        #expect(try await proof.check { try $0.remove("store/identity") } == .named(.corruption))
    }

    @Test func aSealedSegmentCutOnAFrameBoundaryIsNamed() async throws {
        for path in Self.segments {
            let proof = try await Self.closed()
            let outcome = try await proof.check { try $0.truncate(path, to: Self.firstFrame) }
            #expect(outcome == .named(.corruption))
        }
    }

    /// Every bit of what is not filling, and one bit a byte, or of some bytes, of the rest.
    private func bits(of bytes: [UInt8]) -> [Int] {
        bytes.indices.flatMap { index -> [Int] in
            let around = bytes[max(0, index - 3)..<min(bytes.count, index + 4)]
            if around.contains(where: { $0 != bytes[index] }) {
                return (0..<8).map { index * 8 + $0 }
            }
            return index % (bytes[index] != 0 ? 7 : 97) == 0 ? [index * 8 + index % 8] : []
        }
    }
}
