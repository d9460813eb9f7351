import HoldfastTesting
import Testing

@Suite struct ShrinkerTests {
    private let shrinker = Shrinker<[Int]> { $0.shortened }

    @Test func whatIsLeftIsWhatFails() async {
        let smallest = await shrinker.shrink(Array(0..<100)) { numbers in
            numbers.contains(17) && numbers.contains(83)
        }
        #expect(smallest == [17, 83])
    }

    @Test func triesEndAtTheLimit() async {
        var tries = 0
        let shrinker = Shrinker<[Int]>(limit: 5) { $0.shortened }
        _ = await shrinker.shrink(Array(0..<100)) { _ in
            tries += 1
            return false
        }
        #expect(tries == 5)
    }

    @Test func shorterArraysAreThoseWithoutAPart() {
        #expect([1, 2].shortened == [[], [2], [1]])
        #expect([Int]().shortened == [])
    }
}
