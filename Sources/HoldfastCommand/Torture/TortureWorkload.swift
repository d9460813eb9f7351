package import Holdfast
import HoldfastStorage
import HoldfastTesting

/// What the tasks of a torture run commit: a pure function of the seed, so that the parent knows
/// every transaction without having seen it.
///
/// Each task has records of its own and commits its transactions one after the other, numbered
/// from 1. Its last number stands in a record of its own, written by the same transaction, which
/// also counts up one record of all tasks: a lost update or a half transaction shows in the sum.
package struct TortureWorkload: Hashable, Sendable {
    /// The table of the tasks' records.
    package static let table: TableName = "torture"
    /// What all transactions follow from.
    package let seed: UInt64
    /// How records come and go.
    package let shape: TortureShape

    /// The workload of a seed.
    package init(seed: UInt64, shape: TortureShape = .plain) {
        self.seed = seed
        self.shape = shape
    }

    /// A task's transaction.
    package func transaction(task: Int, number: Int) -> TortureTransaction {
        var random = SplitMix64(seed, task, number)
        let count = Self.operationCount(&random)
        let durability = Durability.allCases.randomElement(using: &random) ?? .synced
        let operations = (0..<count).map { _ in
            TortureTransaction.Operation(
                record: .random(in: 0..<shape.recordsPerTask, using: &random),
                action: .random(in: 0..<10, using: &random) < shape.deletes ? .delete : .put,
                textBytes: Self.textBytes(count, &random)
            )
        }
        return TortureTransaction(durability: durability, operations: operations)
    }

    /// The id of a task's record.
    package static func id(task: Int, record: Int) -> String { "task-\(task)-record-\(record)" }

    /// The id of the record that holds a task's last number.
    package static func markerID(task: Int) -> String { "task-\(task)-last" }

    /// The id of the record that counts the transactions of all tasks.
    package static let totalID = "total"

    /// What the operation at `index` of a transaction writes.
    ///
    /// The text is made from them, so that no two versions are alike.
    package func record(
        _ operation: TortureTransaction.Operation,
        task: Int,
        number: Int,
        index: Int
    ) -> JSONObject {
        var random = SplitMix64(seed, task, number, index)
        var text: [UInt8] = []
        text.reserveCapacity(operation.textBytes + 8)
        while text.count < operation.textBytes {
            let bits = random.next()
            for shift in stride(from: 0, to: 64, by: 8) {
                text.append(0x40 | UInt8(truncatingIfNeeded: bits >> UInt64(shift)) & 0x1F)
            }
        }
        return [
            "id": .string(Self.id(task: task, record: operation.record)),
            "number": .integer(Int64(number)),
            "text": .string(String(decoding: text.prefix(operation.textBytes), as: UTF8.self)),
        ]
    }

    private static func operationCount(_ random: inout SplitMix64) -> Int {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: .random(in: 100...400, using: &random)
        case 1...3: .random(in: 10...60, using: &random)
        case 4...9: .random(in: 2...9, using: &random)
        default: 1
        }
    }

    /// Large texts stand in small transactions: both kinds cross the end of a segment.
    private static func textBytes(_ operations: Int, _ random: inout SplitMix64) -> Int {
        switch Int.random(in: 0..<40, using: &random) {
        case 0 where operations < 10: .random(in: 20_000...200_000, using: &random)
        case 1...6 where operations < 100: .random(in: 500...8_000, using: &random)
        default: .random(in: 0...300, using: &random)
        }
    }
}
