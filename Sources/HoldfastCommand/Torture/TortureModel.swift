package import Holdfast

/// What a store has to hold after each task's transactions up to a number.
package struct TortureModel: Sendable {
    /// Which operation wrote a record.
    private struct Version: Hashable {
        let number: Int
        let index: Int
    }

    /// What a check of a store found.
    package struct Findings: Hashable, Sendable {
        /// Acknowledged transactions that are not there.
        package var lost = 0
        /// Tasks with a transaction that is there in part.
        package var torn = 0
        /// Records or transactions that were never sent.
        package var foreign = 0
        /// Stores that did not open, or whose files are not intact.
        package var unreadable = 0

        /// Findings of nothing.
        package init() {}

        /// Whether everything is as it has to be.
        package var isClean: Bool { self == Findings() }

        /// What is wrong, and is no mere loss.
        package var damaged: Int { torn + foreign + unreadable }

        static func += (left: inout Findings, right: Findings) {
            left.lost += right.lost
            left.torn += right.torn
            left.foreign += right.foreign
            left.unreadable += right.unreadable
        }
    }

    private let workload: TortureWorkload
    private var versions: [[Int: Version]]
    /// The number of each task's last transaction that is there.
    package private(set) var lastNumbers: [Int]

    /// The model of an empty store.
    package init(_ workload: TortureWorkload, tasks: Int) {
        self.workload = workload
        versions = Array(repeating: [:], count: tasks)
        lastNumbers = Array(repeating: 0, count: tasks)
    }

    /// Compares a store's records with what was acknowledged, and moves on to what is there.
    ///
    /// A task sends a transaction when the one before it is acknowledged: so each task's state is
    /// that after its last acknowledged transaction or after the next one, whole.
    ///
    /// - Parameters:
    ///   - records: Every record of the table, by its id.
    ///   - acknowledged: The last acknowledged number of each task.
    /// - Returns: What is not as it has to be.
    package mutating func check(
        _ records: [String: JSONObject],
        acknowledged: [Int]
    ) -> Findings {
        var findings = Findings()
        var expectedCount = 0
        for task in lastNumbers.indices {
            let number = Self.number(TortureWorkload.markerID(task: task), in: records)
            findings.lost += max(0, acknowledged[task] - number)
            if number > acknowledged[task] + 1 { findings.foreign += 1 }
            advance(task, to: min(number, acknowledged[task] + 1))
            if !isWhole(task, records) { findings.torn += 1 }
            expectedCount += versions[task].count + (number > 0 ? 1 : 0)
        }
        let total = lastNumbers.reduce(0, +)
        if Self.number(TortureWorkload.totalID, in: records) != total { findings.torn += 1 }
        if total > 0 { expectedCount += 1 }
        if records.count > expectedCount { findings.foreign += records.count - expectedCount }
        return findings
    }

    private static func number(_ id: String, in records: [String: JSONObject]) -> Int {
        guard case .integer(let number)? = records[id]?["number"] else { return 0 }
        return Int(clamping: max(0, number))
    }

    /// Applies a task's transactions; a store never goes back, so neither does this.
    private mutating func advance(_ task: Int, to number: Int) {
        while lastNumbers[task] < number {
            lastNumbers[task] += 1
            let number = lastNumbers[task]
            let transaction = workload.transaction(task: task, number: number)
            for (index, operation) in transaction.operations.enumerated() {
                versions[task][operation.record] =
                    operation.action == .put ? Version(number: number, index: index) : nil
            }
        }
    }

    private func isWhole(_ task: Int, _ records: [String: JSONObject]) -> Bool {
        (0..<workload.shape.recordsPerTask).allSatisfy { record in
            let stored = records[TortureWorkload.id(task: task, record: record)]
            guard let version = versions[task][record] else { return stored == nil }
            let transaction = workload.transaction(task: task, number: version.number)
            return stored
                == workload.record(
                    transaction.operations[version.index],
                    task: task,
                    number: version.number,
                    index: version.index
                )
        }
    }
}
