import Testing

/// Every order of two replicas' edits and sendings, with every fault at every place.
@Suite(.timeLimit(.minutes(2))) struct SmallWorldTests {
    @Test(
        "Two edits each on one record, in every order and with every fault: equal, and no edit lost",
        arguments: [
            [[SmallWorldRun.Edit.field, .field], [.field, .field]],
            [[.field, .otherField], [.otherField, .field]],
            [[.field, .delete], [.field, .field]],
            [[.count, .count], [.count, .field]],
        ]
    ) func noEditIsLost(_ edits: [[SmallWorldRun.Edit]]) async throws {
        #expect(SmallWorldRun.orders.count == 35 && SmallWorldRun.singleFaults.count == 25)
        for order in SmallWorldRun.orders {
            for faults in SmallWorldRun.singleFaults {
                try await SmallWorldRun(order: order, faults: faults, edits: edits).run()
            }
        }
    }
}
