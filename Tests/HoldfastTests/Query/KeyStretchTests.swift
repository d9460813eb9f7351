import Holdfast
import HoldfastStorage
import Testing

@Suite struct KeyStretchTests {
    @Test(arguments: [1, 2, 7, 600, 5_000])
    func stretchesOneBehindTheOtherGiveEachKeyOnceAndInOrder(limit: Int) {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let numbers = (0..<3_000).map { _ in UInt16.random(in: 0..<2_000, using: &generator) }
        let keys = numbers.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let expected = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        for direction in [ScanDirection.forward, .backward] {
            var visited: [[UInt8]] = []
            var end: [UInt8]?
            repeat {
                var stretch = KeyStretch(limit: limit, direction)
                for key in keys where isBehind(end, key, direction) {
                    unsafe stretch.append(key.span.bytes)
                }
                stretch.visitKeys { key in
                    visited.append(unsafe key.withUnsafeBytes { unsafe Array($0) })
                    return true
                }
                end = stretch.end
            } while end != nil
            let inOrder = direction == .forward ? expected : expected.reversed()
            #expect(visited == inOrder, "seed \(seed)")
        }
    }

    private func isBehind(_ end: [UInt8]?, _ key: [UInt8], _ direction: ScanDirection) -> Bool {
        guard let end else { return true }
        return direction == .forward
            ? end.lexicographicallyPrecedes(key) : key.lexicographicallyPrecedes(end)
    }
}
