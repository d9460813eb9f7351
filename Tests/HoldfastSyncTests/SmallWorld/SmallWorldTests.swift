import Testing

/// Every order of two replicas' edits and sendings, with every fault at every place.
///
/// An order begins with the first replica: what begins with the second is the same with other names.
@Suite(.timeLimit(.minutes(20))) struct SmallWorldTests {
    private static let worlds = SmallWorldRun.orders.flatMap { order in
        SmallWorldRun.singleFaults.map { (order, $0) }
    }

    @Test("Two edits each of one field, in every order and with every fault: equal, and none lost")
    func noEditIsLost() async throws {
        #expect(Self.worlds.count == 875)
        for (order, faults) in Self.worlds {
            let edits = [[SmallWorldRun.Edit.field, .field], [.field, .field]]
            try await SmallWorldRun(order: order, faults: faults, edits: edits).run()
        }
    }

    @Test(
        "Edits of two fields, deletions and counters, in every order: equal, and none lost",
        arguments: [
            [[SmallWorldRun.Edit.field, .otherField], [.otherField, .field]],
            [[.field, .delete], [.field, .field]],
            [[.count, .count], [.count, .field]],
        ]
    ) func noOtherEditIsLost(_ edits: [[SmallWorldRun.Edit]]) async throws {
        // Every seventh: each order, and each fault at each place, with some of the others.
        for place in stride(from: 0, to: Self.worlds.count, by: 7) {
            let (order, faults) = Self.worlds[place]
            try await SmallWorldRun(order: order, faults: faults, edits: edits).run()
        }
    }
}
