import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct TempTests {
    @Test func speed() async throws {
        let clock = ContinuousClock()
        for w in [
            [CrashOperation.put(1)], [.put(1), .put(2, length: 400)],
            [.put(1, .buffered), .put(2, length: 400, .buffered)], [.put(1), .reopen],
            [.reopen, .put(1)],
        ] {
            var explorer = CrashExplorer(.journal())
            let t = await clock.measure {
                do {
                    try await explorer.explore(w, from: 0)
                } catch { print(error) }
            }
            print("SPEED", w, t, explorer.tally, t / explorer.tally.recoveries)
        }
    }
}
