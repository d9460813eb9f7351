import Holdfast
import HoldfastCommand
import Testing

struct BenchTests {
    @Test(arguments: [(0.5, 50), (0.99, 99), (1.0, 100), (0.001, 1), (0.0, 1)])
    func aPercentileIsATimeThatWasMeasured(_ share: Double, _ milliseconds: Int) {
        var latencies = Latencies()
        for number in (1...100).shuffled() { latencies.add(.milliseconds(number)) }
        #expect(latencies.percentile(share) == .milliseconds(milliseconds))
    }

    @Test func withoutTimesAPercentileIsZero() {
        #expect(Latencies().percentile(0.5) == .zero)
    }

    @Test func sampleNotesHaveAbout280BytesAndIDsOfTheirOwn() throws {
        var notes = SampleNotes(prefix: "n", seed: 3)
        var bytes = 0
        var ids: Set<String> = []
        for _ in 0..<1_000 {
            let note = notes.next()
            bytes += try note.serialized().count
            if case .string(let id)? = note["id"] { ids.insert(id) }
        }
        #expect((260...300).contains(bytes / 1_000))
        #expect(ids.count == 1_000)
    }
}
