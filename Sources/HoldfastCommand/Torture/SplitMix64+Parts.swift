package import HoldfastTesting

extension SplitMix64 {
    /// A generator for a seed in which each combination of `parts` has its own numbers.
    package init(_ seed: UInt64, _ parts: Int...) {
        var mixed = seed
        for part in parts {
            var generator = SplitMix64(seed: mixed)
            mixed = generator.next() ^ UInt64(bitPattern: Int64(part))
        }
        self.init(seed: mixed)
    }
}
