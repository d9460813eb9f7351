import HoldfastStorage
import Testing

@Suite struct TransferTests {
    private let bytes = noise(count: 100)

    @Test func anInterruptedWriteIsRepeatedAndAShortOneContinued() throws {
        let file = ScriptedFile([
            .fail(.interrupted), .limit(7), .fail(.interrupted), .fail(.interrupted), .limit(50),
        ])
        try file.write(bytes, at: 3)
        #expect(file.contents == [0, 0, 0] + bytes)
        #expect(file.calls == 6)
    }

    @Test func aWriteOfZeroBytesIsAnErrorAndNoEndlessLoop() {
        let file = ScriptedFile([.limit(40), .limit(0)])
        let expected = SystemCallError(call: "pwrite", path: "scripted", errno: .inputOutput)
        #expect(throws: expected) { try file.write(bytes, at: 0) }
        #expect(file.contents == Array(bytes[..<40]))
    }

    @Test(arguments: [SystemErrorNumber.noSpace, .inputOutput, .permissionDenied, .quotaExceeded])
    func anyOtherFailureEndsTheWriteAtOnce(number: SystemErrorNumber) {
        let file = ScriptedFile([.limit(40), .fail(number)])
        let expected = SystemCallError(call: "pwrite", path: "scripted", errno: number)
        #expect(throws: expected) { try file.write(bytes, at: 0) }
        #expect(file.calls == 2)
    }

    @Test func anInterruptedReadIsRepeatedAndAShortOneContinued() throws {
        let file = ScriptedFile(
            [.limit(1), .fail(.interrupted), .limit(60)],
            contents: bytes
        )
        #expect(try file.read(count: 100, at: 0) == bytes)
        #expect(file.calls == 4)
    }

    @Test func aReadBehindTheEndReturnsWhatIsThere() throws {
        let file = ScriptedFile([], contents: bytes)
        #expect(try file.read(count: 100, at: 90) == Array(bytes[90...]))
        #expect(try file.read(count: 100, at: 100) == [])
        #expect(try file.read(count: 100, at: 5_000) == [])
    }

    @Test func aFailedReadThrowsAndReturnsNothing() {
        let file = ScriptedFile([.limit(10), .fail(.inputOutput)], contents: bytes)
        let expected = SystemCallError(call: "pread", path: "scripted", errno: .inputOutput)
        #expect(throws: expected) { try file.read(count: 100, at: 0) }
    }
}
