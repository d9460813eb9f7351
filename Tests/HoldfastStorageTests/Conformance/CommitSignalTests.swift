import HoldfastStorage
import Testing

@Suite struct CommitSignalTests {
    private let signal = CommitSignal(at: SequenceNumber(5))

    private func waitUntilWaiting(_ count: Int) async {
        while signal.waitingCount < count { await Task.yield() }
    }

    @Test func onlyGreaterNumbersWakeAWaiter() async throws {
        let waiter = Task { try await signal.wait(after: SequenceNumber(6)) }
        await waitUntilWaiting(1)
        signal.publish(SequenceNumber(6))
        signal.publish(SequenceNumber(4))
        #expect(signal.waitingCount == 1)
        signal.publish(SequenceNumber(9))
        #expect(try await waiter.value == SequenceNumber(9))
        #expect(try await signal.wait(after: SequenceNumber(8)) == SequenceNumber(9))
    }

    @Test func aCancelledWaiterThrowsAndIsForgotten() async throws {
        let waiter = Task { try await signal.wait(after: SequenceNumber(5)) }
        await waitUntilWaiting(1)
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(signal.waitingCount == 0)
    }

    @Test func closingWakesEveryoneWithAnError() async throws {
        let waiters = (0..<3).map { _ in Task { try await signal.wait(after: SequenceNumber(5)) } }
        await waitUntilWaiting(3)
        signal.close()
        for waiter in waiters {
            let error = await #expect(throws: StorageError.self) { try await waiter.value }
            #expect(error?.code == .closed)
        }
        let late = await #expect(throws: StorageError.self) { try await signal.wait(after: .zero) }
        #expect(late?.code == .closed)
    }
}
