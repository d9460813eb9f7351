import Holdfast
import HoldfastTesting
import Testing

/// A window against a table that is filtered and sorted anew each time.
@Suite struct QueryWindowTests {
    private typealias Window = QueryWindow<Int>

    private static let order = RecordOrder(steps: [FieldOrder(field: "n", direction: .ascending)])

    /// Records by their key, each with its ordering value and a row.
    private struct Table {
        var records: [UInt8: (value: Int64, row: Int)] = [:]
        var fetches = 0

        func entries() -> [Window.Entry] {
            records.map { key, record in
                Window.Entry(
                    position: RecordPosition(values: [.integer(record.value)], key: [key]),
                    document: [UInt8(truncatingIfNeeded: record.row), UInt8(record.row >> 8)]
                )
            }
            .sorted { QueryWindowTests.order.precedes($0.position, $1.position) }
        }

        /// What an observation does after changes: take them in, then fetch what is missing.
        mutating func update(_ window: inout Window, changed keys: Set<UInt8>) {
            let entries = entries()
            window.apply(
                keys.map { key in
                    Window.Update(key: [key], entry: entries.first { $0.position.key == [key] })
                }
            )
            guard let count = window.missingCount else { return }
            fetches += 1
            let behind = entries.filter { entry in
                switch window.reach {
                case .nowhere: true
                case .everywhere: false
                case .through(let last): QueryWindowTests.order.precedes(last, entry.position)
                }
            }
            window.append(Array(behind.prefix(count)), of: count)
        }
    }

    @Test(arguments: [0, 1, 2, 3, nil] as [Int?], [0, 1, 2])
    func throughEveryThreeStepsAWindowIsTheFirstOfItsTable(limit: Int?, slack: Int) {
        let values: [Int64?] = [nil, 0, 1, 2]
        let steps = (0..<3).flatMap { key in values.map { (key: UInt8(key), value: $0) } }
        for first in steps {
            for second in steps {
                for third in steps {
                    check([first, second, third], limit, slack)
                }
            }
        }
    }

    private func check(_ steps: [(key: UInt8, value: Int64?)], _ limit: Int?, _ slack: Int) {
        var table = Table()
        for key in 0..<3 as Range<UInt8> { table.records[key] = (Int64(key), 0) }
        var window = Window(in: Self.order, limit: limit, slack: slack)
        table.update(&window, changed: [])
        for (number, step) in steps.enumerated() {
            table.records[step.key] = step.value.map { ($0, number + 1) }
            table.update(&window, changed: [step.key])
            if !isSame(window, table, limit, keys: 3) { Issue.record("\(steps) to step \(number)") }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func throughManyRandomChangesAWindowIsTheFirstOfItsTable(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var table = Table()
        var window = Window(in: Self.order, limit: 10, slack: 4)
        table.update(&window, changed: [])
        for number in 0..<500 {
            var changed: Set<UInt8> = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let key = UInt8.random(in: 0..<40, using: &random)
                let isGone = Int.random(in: 0..<3, using: &random) == 0
                table.records[key] = isGone ? nil : (.random(in: 0..<20, using: &random), number)
                changed.insert(key)
            }
            table.update(&window, changed: changed)
            let holds = isSame(window, table, 10)
            #expect(holds, "step \(number)")
        }
    }

    private func row(_ entry: Window.Entry) -> Int? {
        try? entry.row { document, _ in Int(document[0]) | Int(document[1]) << 8 }
    }

    private func isSame(
        _ window: borrowing Window,
        _ table: Table,
        _ limit: Int?,
        keys: UInt8 = 40
    ) -> Bool {
        let expected = table.entries().prefix(limit ?? .max)
        let held = Set(window.entries.map(\.position.key))
        let claimed = (0..<keys).map { [$0] }.filter { window.contains($0) }
        return window.entries.prefix(limit ?? .max).map(\.position.key)
            == expected.map(\.position.key)
            && window.entries.prefix(limit ?? .max).map(row) == expected.map(row)
            && window.missingCount == nil && held.filter { $0[0] < keys } == Set(claimed)
    }

    @Test func insertionsAndTheirRemovalsFetchNothing() {
        var table = Table()
        for key in 0..<100 as Range<UInt8> { table.records[key] = (Int64(key) + 100, 0) }
        var window = Window(in: Self.order, limit: 10)
        table.update(&window, changed: [])
        for key in 100..<130 as Range<UInt8> {
            table.records[key] = (Int64(key) - 100, 0)
            table.update(&window, changed: [key])
        }
        for key in 100..<130 as Range<UInt8> {
            table.records[key] = nil
            table.update(&window, changed: [key])
        }
        #expect(table.fetches == 1)
        let holds = isSame(window, table, 10)
        #expect(holds)
    }

    @Test func aWindowHoldsItsLimitAndAFewMore() {
        var table = Table()
        var window = Window(in: Self.order, limit: 3, slack: 2)
        table.update(&window, changed: [])
        for key in 0..<200 as Range<UInt8> {
            table.records[key] = (-Int64(key), 0)
            table.update(&window, changed: [key])
            let holds = window.entries.count <= 5
            #expect(holds)
        }
        let holds = !window.contains([0])
        #expect(holds)
    }
}
