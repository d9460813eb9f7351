import Holdfast
import HoldfastStorage

/// The hidden `hold torture-child`: commits a workload until it is killed.
///
/// It prints a line when the store is open and one for each transaction after `write` returned. It
/// checks nothing: the parent does.
struct TortureChildCommand: Command {
    static let syntax = CommandSyntax(
        "torture-child",
        "commit a workload until killed; started by hold torture kill",
        positionals: [
            .required("STORE"), .required("SEED"), .required("SHAPE"), .required("NUMBERS"),
        ],
        example: "hold torture-child torture.holdfast 7 plain 0,0,0"
    )

    private let path: String
    private let workload: TortureWorkload
    private let lastNumbers: [Int]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        guard let seed = UInt64(arguments.positional(1)) else {
            throw UsageError("SEED is a whole number")
        }
        guard let shape = TortureShape(rawValue: arguments.positional(2)) else {
            let shapes = TortureShape.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("SHAPE is one of \(shapes)")
        }
        workload = TortureWorkload(seed: seed, shape: shape)
        lastNumbers = try Self.numbers(arguments.positional(3))
    }

    private static func numbers(_ text: String) throws(UsageError) -> [Int] {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Int32($0) }.filter { $0 >= 0 }
        guard numbers.count == words.count else {
            throw UsageError("NUMBERS are whole numbers from 0 to \(Int32.max)")
        }
        return numbers.map(Int.init)
    }

    /// The command line that starts a child.
    static func arguments(
        path: String,
        _ workload: TortureWorkload,
        after lastNumbers: [Int]
    ) -> [String] {
        let numbers = lastNumbers.map(String.init).joined(separator: ",")
        return [syntax.name, "--", path, String(workload.seed), workload.shape.rawValue, numbers]
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let options = StoreOptions(journal: workload.shape.journal)
        let store = try await Store.open(at: path, options: options)
        try Self.print(TortureAcknowledgements.openLine)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (task, number) in lastNumbers.enumerated() {
                group.addTask { try await commit(task, after: number, to: store) }
            }
            group.addTask { try await keepHouse(in: store) }
            try await group.waitForAll()
        }
        return .done
    }

    /// Does what the engine does now and then all the time, so that kills meet it.
    private func keepHouse(in store: Store) async throws {
        guard workload.shape != .plain, let journal = store.storage as? JournalStorage else {
            return
        }
        while true {
            try await journal.compact()
            try await journal.checkpoint()
            try await Task.sleep(for: .milliseconds(3))
        }
    }

    /// Ends only by a kill, or when the parent is gone and with it the reader of the pipe.
    private func commit(_ task: Int, after last: Int, to store: Store) async throws {
        var number = last
        while true {
            number += 1
            try await commit(task, number, to: store)
            try Self.print(TortureAcknowledgements.line(task: task, number: number))
        }
    }

    private func commit(_ task: Int, _ number: Int, to store: Store) async throws {
        let sent = workload.transaction(task: task, number: number)
        try await store.write(sent.durability) { [workload] transaction in
            let table = TortureWorkload.table
            for (index, operation) in sent.operations.enumerated() {
                let record = workload.record(operation, task: task, number: number, index: index)
                switch operation.action {
                case .put: try transaction.put(record, in: table)
                case .delete:
                    let id = TortureWorkload.id(task: task, record: operation.record)
                    try transaction.delete(RecordID(id), in: table)
                }
            }
            try transaction.put(.counter(TortureWorkload.markerID(task: task), number), in: table)
            let total = try transaction.get(RecordID(TortureWorkload.totalID), in: table)
            // A sum that wraps is a wrong one, which the parent finds.
            let count = (total?.counterNumber ?? 0) &+ 1
            try transaction.put(.counter(TortureWorkload.totalID, count), in: table)
        }
    }

    /// One `write` a line, which a pipe keeps whole.
    private static func print(_ line: String) throws {
        try Descriptor.standardOutput.write(Array(line.utf8).span)
    }
}

extension JSONObject {
    /// A record that only counts.
    fileprivate static func counter(_ id: String, _ number: Int) -> JSONObject {
        ["id": .string(id), "number": .integer(Int64(number))]
    }

    /// What a counting record holds.
    var counterNumber: Int? {
        guard case .integer(let number)? = self["number"] else { return nil }
        return Int(exactly: number)
    }
}
