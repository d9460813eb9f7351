import HoldfastStorage
import Synchronization
import Testing

@Suite struct WriterGateTests {
    private final class Record: Sendable {
        let order = Mutex<[Int]>([])
        let inside = Atomic(0)
        let turns = Atomic(0)
    }

    private let gate = WriterGate()
    private let record = Record()

    private func yieldUntil(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func turnsComeInTheOrderOfAsking() async throws {
        try await gate.enter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<64 {
                group.addTask {
                    try await gate.enter()
                    record.order.withLock { $0.append(index) }
                    gate.leave()
                }
                await yieldUntil { gate.waitingCount == index + 1 }
            }
            gate.leave()
            try await group.waitForAll()
        }
        #expect(record.order.withLock { $0 } == Array(0..<64))
    }

    @Test func onlyOneTaskIsInsideAtATime() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    for _ in 0..<20 {
                        try await gate.enter()
                        #expect(record.inside.add(1, ordering: .relaxed).newValue == 1)
                        await Task.yield()
                        record.inside.subtract(1, ordering: .relaxed)
                        record.turns.add(1, ordering: .relaxed)
                        gate.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(record.turns.load(ordering: .relaxed) == 1_280)
        #expect(gate.waitingCount == 0)
    }

    @Test func aCancelledWaiterThrowsAndTheNextOneGetsTheTurn() async throws {
        try await gate.enter()
        let cancelled = Task { try await gate.enter() }
        await yieldUntil { gate.waitingCount == 1 }
        let next = Task { try await gate.enter() }
        await yieldUntil { gate.waitingCount == 2 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(gate.waitingCount == 1)
        gate.leave()
        try await next.value
        gate.leave()
        try await gate.enter()
    }

    @Test func aTaskThatIsAlreadyCancelledGetsNoTurn() async throws {
        let task = Task {
            await yieldUntil { Task.isCancelled }
            try await gate.enter()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await gate.enter()
    }

    @Test func enteringForClosingOutlivesCancellation() async throws {
        try await gate.enter()
        let closing = Task { await gate.enterIgnoringCancellation() }
        await yieldUntil { gate.waitingCount == 1 }
        closing.cancel()
        #expect(gate.waitingCount == 1)
        gate.leave()
        await closing.value
        gate.leave()
    }

    @Test func cancellingAtAnyMomentLosesNoTurn() async throws {
        for _ in 0..<300 {
            let tasks = (0..<4).map { _ in
                Task {
                    try await gate.enter()
                    record.turns.add(1, ordering: .relaxed)
                    gate.leave()
                }
            }
            tasks[1].cancel()
            tasks[2].cancel()
            for task in tasks { _ = await task.result }
        }
        #expect(record.turns.load(ordering: .relaxed) >= 600)
        #expect(gate.waitingCount == 0)
        try await gate.enter()
    }
}
