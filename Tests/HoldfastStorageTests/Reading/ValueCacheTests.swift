import HoldfastStorage
import HoldfastTesting
import Testing

@Suite("The cache of values")
struct ValueCacheTests {
    private static func location(_ place: Int, number: Int = 1, length: Int = 64) -> EntryLocation {
        EntryLocation(
            segment: UInt32(1 + place / 1_000),
            offset: UInt32(place % 1_000 * 64),
            length: UInt32(length),
            number: SequenceNumber(UInt64(number))
        )
    }

    private static func value(_ place: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: place &* 31 &+ $0) }
    }

    private static func insert(_ value: [UInt8], _ place: Int, into cache: ValueCache) {
        unsafe cache.insert(value.span.bytes, at: location(place), epoch: cache.epoch)
    }

    private static func offer(_ value: [UInt8], _ place: Int, to cache: ValueCache) {
        unsafe cache.offer(value.span.bytes, at: location(place), epoch: cache.epoch)
    }

    @Test(arguments: [4 << 10, 20_000, 300 << 10, 5 << 20], [1, 2, 3] as [UInt64])
    func whatItGivesBackIsWhatItTookAndItsMemoryStaysTheSame(bytes: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let cache = try #require(ValueCache(bytes: bytes))
        let memory = cache.statistics.memoryBytes
        #expect(memory <= bytes)
        var taken: [Int: [UInt8]] = [:]
        var hits = 0
        for step in 0..<20_000 {
            let place = Int.random(in: 0..<3_000, using: &random)
            if let found = cache.value(at: Self.location(place)) {
                hits += 1
                #expect(found == taken[place], "step \(step), place \(place)")
            } else if Bool.random(using: &random) {
                // A place holds one value as long as nothing is forgotten.
                let value =
                    taken[place] ?? Self.value(place, count: .random(in: 0...400, using: &random))
                taken[place] = value
                Self.insert(value, place, into: cache)
            }
            if Int.random(in: 0..<4_000, using: &random) == 0 {
                cache.forget(from: 1)
                taken = [:]
            }
        }
        #expect(hits > 20)
        #expect(cache.statistics.memoryBytes == memory)
        #expect(cache.statistics.hits == UInt64(hits))
    }

    @Test func whatIsReadOncePushesNothingOut() throws {
        let cache = try #require(ValueCache(bytes: 64 << 10))
        let hot = 0..<50
        for place in hot { Self.insert(Self.value(place, count: 200), place, into: cache) }
        for place in 1_000..<60_000 { Self.offer(Self.value(place, count: 200), place, to: cache) }
        for place in hot {
            #expect(cache.value(at: Self.location(place)) == Self.value(place, count: 200))
        }
    }

    @Test func whatIsAskedForAgainIsKept() throws {
        let cache = try #require(ValueCache(bytes: 64 << 10))
        for _ in 1...2 {
            for place in 0..<50 { Self.offer(Self.value(place, count: 200), place, to: cache) }
        }
        for place in 0..<50 {
            #expect(cache.value(at: Self.location(place)) == Self.value(place, count: 200))
        }
    }

    @Test func whatIsUsedOutlivesWhatIsNot() throws {
        let cache = try #require(ValueCache(bytes: 64 << 10))
        for place in 0..<5_000 {
            if place % 40 == 0 {
                for hot in 0..<20 where cache.value(at: Self.location(hot)) == nil {
                    #expect(place == 0, "hot value \(hot) is gone at \(place)")
                    Self.insert(Self.value(hot, count: 100), hot, into: cache)
                }
            }
            Self.insert(Self.value(place, count: 100), 100 + place, into: cache)
        }
    }

    @Test func aValueThatWasReadBeforeAnEpochIsNotTaken() throws {
        let cache = try #require(ValueCache(bytes: 64 << 10))
        let old = cache.epoch
        cache.forget(from: 1)
        unsafe cache.insert([1, 2, 3].span.bytes, at: Self.location(1), epoch: old)
        #expect(cache.value(at: Self.location(1)) == nil)
        Self.insert([4, 5, 6], 1, into: cache)
        #expect(cache.value(at: Self.location(1)) == [4, 5, 6])
        cache.forget(from: 9)
        #expect(cache.value(at: Self.location(1)) == [4, 5, 6])
        cache.forget(from: 1)
        #expect(cache.value(at: Self.location(1)) == nil)
    }

    @Test func anotherTransactionsEntryAtAPlaceIsNotTheSame() throws {
        let cache = try #require(ValueCache(bytes: 64 << 10))
        Self.insert([1], 7, into: cache)
        #expect(cache.value(at: Self.location(7, number: 2)) == nil)
        #expect(cache.value(at: Self.location(7)) == [1])
    }

    @Test func tooLittleMemoryIsNoCacheAndLongValuesAreLeftOut() throws {
        #expect(ValueCache(bytes: 0) == nil)
        #expect(ValueCache(bytes: 4_095) == nil)
        let cache = try #require(ValueCache(bytes: 8 << 10))
        Self.insert(Self.value(1, count: 4_000), 1, into: cache)
        #expect(cache.value(at: Self.location(1)) == nil)
    }
}
