import HoldfastTesting
import Testing

struct VirtualClockTests {
    @Test func sleepersWakeInTheOrderOfTheirMoments() async throws {
        let clock = VirtualClock()
        let tasks = [3, 1, 2].map { seconds in
            Task {
                try await clock.sleep(for: .seconds(seconds))
                return clock.now.offset
            }
        }
        while clock.sleeperCount < 3 { await Task.yield() }
        await clock.advance(by: .seconds(2))
        #expect(clock.sleeperCount == 1)
        await clock.advance(by: .seconds(5))
        #expect(clock.now.offset == .seconds(7))
        #expect(try await tasks[0].value >= .seconds(3))
        #expect(try await tasks[1].value >= .seconds(1))
    }

    @Test func aCancelledSleepThrows() async {
        let clock = VirtualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        while clock.sleeperCount < 1 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(1))
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func aMomentThatHasPassedIsNotWaitedFor() async throws {
        let clock = VirtualClock()
        await clock.advance(by: .seconds(5))
        try await clock.sleep(until: VirtualClock.Instant(.seconds(5)))
    }
}
