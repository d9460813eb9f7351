import HoldfastStorage

extension SmallWorld {
    /// Fills three segments; where the engine can be told to do more, it does it.
    private static let filling: [CrashOperation] = [
        .put(1, length: 60), .put(2, length: 200), .put(3, length: 300), .delete(1),
        .put(2, length: 300), .commit([.put(key: 4, length: 8), .put(key: 5, length: 8)], .synced),
    ]

    /// Every byte of every file of a closed store is damaged, and every file is cut everywhere.
    static func damage(of subject: CrashSubject) -> [SmallWorld] {
        let actions = subject.actions.keys.sorted().map(CrashOperation.action)
        let workload = filling + actions + [.put(6)]
        let slices = 64
        return [
            SmallWorld("any bit is flipped", .damagedStores, parts: slices) { part in
                let proof = try await DamageProof(subject, workload)
                return try await proof.everyFile(part, of: slices) { bytes in
                    bits(of: bytes).map { .flipped($0) }
                }
            },
            SmallWorld("any file is cut", .damagedStores, parts: slices) { part in
                let proof = try await DamageProof(subject, workload)
                return try await proof.everyFile(part, of: slices) { bytes in
                    bytes.indices.map { .cut($0) }
                }
            },
            SmallWorld("any sector is overwritten", .damagedStores, parts: 1) { part in
                let proof = try await DamageProof(subject, workload)
                return try await proof.everyFile(part, of: 1) { bytes in
                    stride(from: 0, to: bytes.count, by: 512).flatMap { start in
                        [0, 0xA5, 0xFF].map { .overwritten(start..<start + 512, $0) }
                    }
                }
            },
        ]
    }

    /// One bit of every byte, and every bit near a byte that is not filling.
    private static func bits(of bytes: [UInt8]) -> [Int] {
        bytes.indices.flatMap { index -> [Int] in
            let around = bytes[max(0, index - 3)..<min(bytes.count, index + 4)]
            let isFilling = around.allSatisfy { $0 == bytes[index] }
            return isFilling ? [index * 8 + index % 8] : (0..<8).map { index * 8 + $0 }
        }
    }
}

/// What may be done to one file.
private enum FileDamage {
    case flipped(Int)
    case cut(Int)
    case overwritten(Range<Int>, UInt8)

    func apply(to path: String, on disk: SimulatedDisk) throws {
        switch self {
        case .flipped(let bit): try disk.flipBit(bit, of: path)
        case .cut(let size): try disk.truncate(path, to: size)
        case .overwritten(let range, let byte): try disk.fill(range, of: path, with: byte)
        }
    }
}

extension DamageProof {
    /// Damages every file of the store, whatever files it has, one at a time: of `count` slices of
    /// all that may be done to it, one.
    fileprivate func everyFile(
        _ slice: Int,
        of count: Int,
        _ damages: ([UInt8]) -> [FileDamage]
    ) async throws -> Int {
        let disk = image.afterKill()
        var tried = 0
        for path in disk.paths where !path.hasSuffix("/LOCK") {
            let all = damages(try disk.contents(of: path))
            for number in stride(from: slice, to: all.count, by: count) {
                try await check(path, all[number])
                tried += 1
            }
        }
        return tried
    }

    private func check(_ path: String, _ damage: FileDamage) async throws {
        do {
            try await check { try damage.apply(to: path, on: $0) }
        } catch let violation as CrashViolation {
            throw violation.about("\(path) \(damage)")
        }
    }
}
