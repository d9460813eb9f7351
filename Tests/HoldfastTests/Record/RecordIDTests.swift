import Holdfast
import Synchronization
import Testing

@Suite struct RecordIDTests {
    @Test func madeIDsAreUUIDsOfVersion7() {
        let generator = RecordIDGenerator(clock: { 0x0190_1234_5678 }, randomness: { .max })
        #expect(generator.next().text == "01901234-5678-7fff-bfff-ffffffffffff")
    }

    @Test func madeIDsAscendWhileTheClockStandsStill() {
        let generator = RecordIDGenerator(clock: { 1_000 }, randomness: { .random(in: 0...(.max)) })
        let ids = (0..<10_000).map { _ in generator.next() }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(ids.map { $0.text.prefix(13) }) == ["00000000-03e8"])
    }

    @Test func madeIDsAscendWhenTheClockIsSetBack() {
        let times = Mutex<[Int64]>([5_000, 5_000, 4_000, -7, 0, 4_999, 5_000, 5_001, 1])
        let count = times.withLock(\.count)
        let generator = RecordIDGenerator(
            clock: { times.withLock { $0.removeFirst() } },
            randomness: { .random(in: 0...(.max)) }
        )
        let ids = (0..<count).map { _ in generator.next() }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func exhaustedRandomBitsBorrowTheNextMillisecond() {
        let generator = RecordIDGenerator(clock: { 1_000 }, randomness: { .max })
        let ids = (0..<3).map { _ in generator.next() }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(
            ids.map { $0.text.prefix(13) } == ["00000000-03e8", "00000000-03e9", "00000000-03ea"]
        )
    }

    @Test func idsOfManyTasksNeverRepeat() async {
        let ids = await withTaskGroup(of: [RecordID].self) { group in
            for _ in 0..<8 { group.addTask { (0..<500).map { _ in RecordID.make() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 4_000)
    }

    @Test(arguments: ["", "a\u{0}", "a\nb", "\u{7F}", "\u{85}", String(repeating: "é", count: 513)])
    func badIDsAreRefused(text: String) {
        let error = #expect(throws: StoreError.self) { try RecordID(text) }
        #expect(error?.code == .invalidID)
    }

    @Test(arguments: ["a", " ", "é", "😀", "\u{A0}", String(repeating: "é", count: 512)])
    func allOtherTextIsAnID(text: String) throws {
        #expect(try RecordID(text).text == text)
    }

    @Test func anIDIsItsBytes() {
        let composed: RecordID = "\u{E9}"
        let decomposed: RecordID = "e\u{301}"
        #expect(composed != decomposed)
        #expect(decomposed < composed)
        #expect(RecordID(12) == "12")
    }

    @Test func aLiteralThatIsNoIDStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = RecordID(stringLiteral: "") }
    }
}
