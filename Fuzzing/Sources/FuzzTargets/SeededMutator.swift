import HoldfastTesting

/// Changes inputs at random, where no compiler shows which change leads further.
public struct SeededMutator: Sendable {
    private var random: SplitMix64
    private let seeds: [[UInt8]]

    /// A mutator of a target's seeds; the same number gives the same inputs.
    public init(_ target: FuzzTarget, seed: UInt64) {
        seeds = target.seeds.isEmpty ? [[]] : target.seeds
        random = SplitMix64(seed: seed)
    }

    /// The next input: parts of a few seeds, changed in a few places.
    public mutating func next() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0...random.next(below: 3) { bytes += seeds[random.next(below: seeds.count)] }
        for _ in 0..<random.next(below: 8) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let interesting: [UInt8] = [0, 1, 2, 0x3F, 0x40, 0x7F, 0x80, 0xA5, 0xFE, 0xFF]
        guard !bytes.isEmpty else { return bytes.append(UInt8(random.next(below: 256))) }
        let place = random.next(below: bytes.count)
        let end = min(bytes.count, place + 1 + random.next(below: 8))
        switch random.next(below: 8) {
        case 0: bytes[place] ^= 1 << UInt8(random.next(below: 8))
        case 1: bytes[place] = UInt8(random.next(below: 256))
        case 2: bytes[place] = interesting[random.next(below: interesting.count)]
        case 3: bytes.insert(UInt8(random.next(below: 256)), at: place)
        case 4: bytes.removeSubrange(place..<end)
        case 5: bytes.insert(contentsOf: bytes[place..<end], at: random.next(below: bytes.count))
        case 6: bytes[place] &+= random.next(below: 2) == 0 ? 1 : 255
        default: bytes.removeSubrange(place...)
        }
    }
}
