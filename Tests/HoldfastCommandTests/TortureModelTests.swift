import Holdfast
import HoldfastCommand
import Testing

struct TortureModelTests {
    private static let tasks = 3
    private let workload = TortureWorkload(seed: 7)

    /// The records of a store that holds each task's transactions up to a number.
    private func records(_ lastNumbers: [Int]) -> [String: JSONObject] {
        var records: [String: JSONObject] = [:]
        for (task, last) in lastNumbers.enumerated() where last > 0 {
            for number in 1...last { apply(task, number, to: &records) }
        }
        let total = lastNumbers.reduce(0, +)
        if total > 0 { records[TortureWorkload.totalID] = counter(total) }
        return records
    }

    private func apply(_ task: Int, _ number: Int, to records: inout [String: JSONObject]) {
        let transaction = workload.transaction(task: task, number: number)
        for (index, operation) in transaction.operations.enumerated() {
            let id = TortureWorkload.id(task: task, record: operation.record)
            let record = workload.record(operation, task: task, number: number, index: index)
            records[id] = operation.action == .put ? record : nil
        }
        records[TortureWorkload.markerID(task: task)] = counter(number)
    }

    private func counter(_ number: Int) -> JSONObject { ["number": .integer(Int64(number))] }

    private func check(
        _ records: [String: JSONObject],
        _ acknowledged: [Int]
    ) -> TortureModel.Findings {
        var model = TortureModel(workload, tasks: Self.tasks)
        return model.check(records, acknowledged: acknowledged)
    }

    @Test(arguments: [[0, 0, 0], [5, 0, 9], [6, 1, 10]])
    func whatWasAcknowledgedOrMayHaveBeenCommittedIsClean(_ stored: [Int]) {
        let acknowledged = stored == [6, 1, 10] ? [5, 0, 9] : stored
        #expect(check(records(stored), acknowledged).isClean)
    }

    @Test func anAcknowledgedTransactionThatIsMissingIsLost() {
        #expect(check(records([5, 3, 7]), [5, 3, 9]).lost == 2)
        #expect(check([:], [1, 0, 0]).lost == 1)
    }

    @Test func aTransactionThatWasNeverSentIsForeign() {
        #expect(check(records([5, 3, 9]), [5, 3, 7]).foreign > 0)
        var withStranger = records([2, 0, 0])
        withStranger["stranger"] = [:]
        #expect(check(withStranger, [2, 0, 0]).foreign == 1)
    }

    @Test func everyHalfOfATransactionIsTorn() {
        let whole = records([5, 3, 9])
        for id in whole.keys where id.contains("record") {
            var half = whole
            half[id] = nil
            #expect(check(half, [5, 3, 9]).torn == 1, "without \(id)")
            half[id] = ["id": .string(id), "number": 1, "text": "other"]
            #expect(check(half, [5, 3, 9]).torn == 1, "with another \(id)")
        }
    }

    @Test func aCountThatDoesNotAddUpIsTorn() {
        var records = records([5, 3, 9])
        records[TortureWorkload.totalID] = counter(16)
        #expect(check(records, [5, 3, 9]).torn == 1)
    }

    @Test(arguments: [Int64.min, -1, 1_000, .max])
    func noStoredNumberTraps(_ number: Int64) {
        var records = records([5, 3, 9])
        records[TortureWorkload.markerID(task: 1)] = ["number": .integer(number)]
        records[TortureWorkload.totalID] = ["number": .integer(number)]
        #expect(!check(records, [5, 3, 9]).isClean)
    }

    @Test(arguments: [
        "0 3", "0 0", "0 -9223372036854775808", "0 9223372036854775807", "2 1", "-1 1",
    ])
    func anAcknowledgementOutOfTurnIsRefused(_ line: String) throws {
        var acknowledgements = TortureAcknowledgements(lastNumbers: [1, 0])
        #expect(throws: Failure.self) { try acknowledgements.take(Array("\(line)\n".utf8)) }
        #expect(acknowledgements.lastNumbers == [1, 0])
    }

    @Test func aModelGoesOnFromWhatWasThere() {
        var model = TortureModel(workload, tasks: Self.tasks)
        #expect(model.check(records([5, 0, 9]), acknowledged: [4, 0, 9]).isClean)
        #expect(model.lastNumbers == [5, 0, 9])
        #expect(model.check(records([8, 2, 9]), acknowledged: [8, 1, 9]).isClean)
        #expect(model.check(records([4, 2, 9]), acknowledged: [8, 2, 9]).lost == 4)
    }

    @Test func acknowledgementsCountWholeLinesOnly() throws {
        var acknowledgements = TortureAcknowledgements(lastNumbers: [0, 0])
        try acknowledgements.take(Array("open\n0 1\n1 1\n0".utf8))
        #expect(acknowledgements.isOpen)
        #expect(acknowledgements.lastNumbers == [1, 1])
        try acknowledgements.take(Array(" 2\n0 3".utf8))
        #expect(acknowledgements.lastNumbers == [2, 1])
        #expect(acknowledgements.count == 3)
        #expect(throws: Failure.self) { try acknowledgements.take(Array("x\n".utf8)) }
    }

    @Test func aSeedGivesTheSameRoundsAndTransactions() {
        #expect(
            (0..<50).map { TortureRound($0, seed: 3) } == (0..<50).map { TortureRound($0, seed: 3) }
        )
        #expect(
            (0..<50).map { TortureRound($0, seed: 3) } != (0..<50).map { TortureRound($0, seed: 4) }
        )
        let first = workload.transaction(task: 1, number: 9)
        #expect(first.operations == workload.transaction(task: 1, number: 9).operations)
        #expect(first.operations != workload.transaction(task: 2, number: 9).operations)
        #expect(Set((0..<40).map { TortureShape(store: $0, seed: 3) }).count == 3)
    }
}
