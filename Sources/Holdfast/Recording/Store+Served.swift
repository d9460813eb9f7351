import HoldfastStorage
import Synchronization

extension Store {
    /// Who is told of what transactions write.
    package var recorder: (any TransactionRecorder)? { recording.withLock { $0 } }

    /// Tells somebody, from now on, what transactions write; before the first of them.
    package func record(with recorder: any TransactionRecorder) {
        recording.withLock { $0 = recorder }
    }

    /// Whether a server serves the store: then records are written through the server alone.
    package var isServed: Bool { served.load(ordering: .acquiring) }

    /// Marks the store, for ever, as one that a server serves.
    ///
    /// A record that is written past the server gets no version, and no replica hears of it.
    package func markServed() async throws {
        if isServed { return }
        try await writeUnrecorded(.synced) { try $0.putSystem(JSONObject(), at: SystemKey.served) }
        served.store(true, ordering: .releasing)
    }

    /// Looks for the mark, which another process may have made.
    func refreshServed() throws {
        let isServed = try read { try $0.state.storage.contains(SystemKey.served) }
        served.store(isServed, ordering: .releasing)
    }
}
