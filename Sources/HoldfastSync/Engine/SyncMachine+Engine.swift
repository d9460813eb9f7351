extension SyncMachine {
    /// The requests whose answers it waits for.
    var openRequests: Set<RequestNumber> {
        var numbers: Set<RequestNumber> = []
        if case .probing(let number, _) = connection { numbers.insert(number) }
        if let flight = push.flight { numbers.insert(flight.number) }
        if let flight = pull.flight { numbers.insert(flight.number) }
        return numbers
    }

    /// Nobody waits any more for what became of mutations.
    func forget(_ mutations: [Mutation]) {
        for mutation in mutations {
            if let sent = OutstandingMutation(mutation) { outstanding.remove(sent) }
        }
    }

    /// Whether everything that was due has been done, or waits for the clock or for somebody.
    var isAtRest: Bool {
        if case .refreshing = credentials { return false }
        return openRequests.isEmpty
    }
}
