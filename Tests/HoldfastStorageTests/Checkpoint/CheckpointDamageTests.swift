import HoldfastStorage
import HoldfastTesting
import Testing

/// Checkpoints whose bytes are not what was written: every answer is right, or an error.
@Suite struct CheckpointDamageTests {
    /// What a reader makes of the file: `nil` for an error.
    private func outcome(_ stored: StoredRoot) throws -> [String: [[UInt8]]]? {
        do {
            guard case .checkpoint(let checkpoint) = try stored.found() else { return nil }
            return try StoredRoot.contents(checkpoint)
        } catch let error as StorageError {
            #expect([.checkpointDamaged, .unsupportedVersion].contains(error.code))
            return nil
        }
    }

    @Test func everyFlippedBitGivesTheRightDataOrAnError() async throws {
        let stored = try await StoredRoot(10, entries: 4)
        let bytes = try stored.disk.contents(of: StoredRoot.file)
        let expected = try outcome(stored)
        #expect(expected?["kind"] != nil)
        var damaged = 0
        // The gap between the header and the pages is not looked at.
        for offset in Array(0..<128) + Array(4_096..<bytes.count) {
            for bit in 0..<8 {
                try stored.disk.flipBit(offset * 8 + bit, of: StoredRoot.file)
                let found = try outcome(stored)
                #expect(found == nil || found == expected, "byte \(offset), bit \(bit)")
                if found == nil { damaged += 1 }
                try stored.disk.flipBit(offset * 8 + bit, of: StoredRoot.file)
            }
        }
        #expect(damaged > (bytes.count - 4_096) * 8 * 9 / 10)
        #expect(try outcome(stored) == expected)
    }

    @Test func everyTruncationGivesAnError() async throws {
        let stored = try await StoredRoot(24, entries: 4)
        let bytes = try stored.disk.contents(of: StoredRoot.file)
        for length in stride(from: bytes.count - 1, through: 0, by: -7) {
            try stored.disk.truncate(StoredRoot.file, to: length)
            #expect(try outcome(stored) == nil)
        }
    }

    @Test func sectorsOfZerosAndGarbageGiveTheRightDataOrAnError() async throws {
        let stored = try await StoredRoot(200, entries: 8)
        let bytes = try stored.disk.contents(of: StoredRoot.file)
        let expected = try outcome(stored)
        for sector in 0..<(bytes.count + 511) / 512 {
            for filling in [0, 0xA5] as [UInt8] {
                var damaged = bytes
                for offset in sector * 512..<min(sector * 512 + 512, bytes.count) {
                    damaged[offset] = filling
                }
                try stored.disk.replace(StoredRoot.file, with: damaged)
                let found = try outcome(stored)
                #expect(found == nil || found == expected)
            }
        }
    }

    @Test func aPageOfAnotherCheckpointIsNotTaken() async throws {
        let stored = try await StoredRoot(60, entries: 4)
        let old = try stored.disk.contents(of: StoredRoot.file)
        _ = try await stored.write(stored.root, salt: 10)
        let new = try stored.disk.contents(of: StoredRoot.file)
        for start in stride(from: 4_096, to: new.count, by: 64) {
            var mixed = new
            let range = start..<min(start + 64, new.count)
            mixed.replaceSubrange(range, with: old[range])
            guard mixed != new else { continue }
            try stored.disk.replace(StoredRoot.file, with: mixed)
            #expect(try outcome(stored) == nil)
        }
    }

    /// Not damage but malice: whatever a page says whose check holds, nothing traps.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func noPageWhoseCheckHoldsMakesItsReaderTrap(_ seed: UInt64) async throws {
        let stored = try await StoredRoot(40, entries: 4, seed: seed)
        let bytes = try stored.disk.contents(of: StoredRoot.file)
        let pages = pageStarts(in: bytes, salt: 9)
        #expect(pages.count > 10)
        var random = SplitMix64(seed: seed)
        var refused = 0
        for _ in 0..<300 {
            var changed = bytes
            let page = pages[random.next(below: pages.count)]
            for _ in 0...random.next(below: 3) {
                let offset = page.lowerBound + 8 + random.next(below: page.count - 8)
                changed[offset] =
                    random.next(below: 2) == 0
                    ? UInt8(random.next(below: 256)) : changed[offset] ^ 1 << random.next(below: 8)
            }
            let body = Array(changed[page].dropFirst(8))
            let check = unsafe XXH64.hash(of: body.span.bytes, seed: 9 ^ UInt64(page.lowerBound))
            for byte in 0..<8 {
                changed[page.lowerBound + byte] = UInt8(truncatingIfNeeded: check >> (8 * byte))
            }
            try stored.disk.replace(StoredRoot.file, with: changed)
            if try outcome(stored) == nil { refused += 1 }
            try edit(stored, &random)
        }
        #expect(refused > 60)
    }

    /// Where pages stand: what a 64-byte-aligned run's first eight bytes are the check of.
    private func pageStarts(in bytes: [UInt8], salt: UInt64) -> [Range<Int>] {
        var pages: [Range<Int>] = []
        var start = 4_096
        while start < bytes.count {
            let end = (1...64).lazy.map { start + 64 * $0 }.first { end in
                guard end <= bytes.count else { return false }
                let body = Array(bytes[start + 8..<end])
                let check = unsafe XXH64.hash(of: body.span.bytes, seed: salt ^ UInt64(start))
                return (0..<8).allSatisfy {
                    bytes[start + $0] == UInt8(truncatingIfNeeded: check >> (8 * $0))
                }
            }
            guard let end else { break }
            pages.append(start..<end)
            start = end
        }
        return pages
    }

    private func edit(_ stored: StoredRoot, _ random: inout SplitMix64) throws {
        guard case .checkpoint(let checkpoint) = try stored.found() else { return }
        for (name, tree) in checkpoint.trees {
            var tree = tree
            for _ in 0..<20 {
                let key = random.bytes(1 + random.next(below: 12), below: 9)
                let payload = name.isEmpty ? StoredRoot.location(1) : [2, 0]
                do throws(StorageError) {
                    if random.next(below: 2) == 0 {
                        try unsafe tree.insert(payload.span.bytes, for: key.span.bytes)
                    } else {
                        try unsafe tree.remove(key.span.bytes)
                    }
                } catch {
                    #expect(error.code == .checkpointDamaged)
                }
            }
        }
    }
}
