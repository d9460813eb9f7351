/// What a sector with unsynced writes may hold after a power loss.
struct SectorStates {
    let sector: Int
    /// What the writes left, one after the other; the first is what the medium had.
    private var versions: [[UInt8]]
    private var torn: [[UInt8]] = []

    init(sector: Int, oldest: [UInt8]) {
        self.sector = sector
        versions = [oldest]
    }

    mutating func write(_ bytes: [UInt8], at start: Int, tears: Bool) {
        var newest = versions[versions.count - 1]
        let range = start..<start + bytes.count
        if tears {
            for byte in [0, 0xA5] as [UInt8] { torn.append(newest.filled(range, with: byte)) }
        }
        newest.replaceSubrange(range, with: bytes)
        versions.append(newest)
    }

    mutating func cut(at start: Int) {
        guard start < PagedBytes.sectorSize else { return }
        let range = start..<PagedBytes.sectorSize
        versions = versions.map { $0.filled(range, with: 0) }
        torn = torn.map { $0.filled(range, with: 0) }
    }

    /// The distinct states, the oldest first and the newest last.
    var distinct: [[UInt8]] {
        let newest = versions[versions.count - 1]
        var states: [[UInt8]] = []
        for state in versions + torn where state != newest && !states.contains(state) {
            states.append(state)
        }
        return states + [newest]
    }
}

extension [UInt8] {
    fileprivate func filled(_ range: Range<Int>, with byte: UInt8) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(range, with: [UInt8](repeating: byte, count: range.count))
        return copy
    }
}
