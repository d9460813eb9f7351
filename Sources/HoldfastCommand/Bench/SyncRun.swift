import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync

/// A replica's machine with a server in the same process, without waiting for anything.
final class SyncRun {
    private let machine: SyncMachine
    private let transport: LocalTransport

    init(store: Store, server: SyncServer) async throws {
        let environment = SyncEnvironment(
            random: { 0 },
            ids: .system,
            wallClock: { 0 }
        )
        machine = try await SyncMachine(
            store: store,
            configuration: SyncConfiguration(),
            environment: environment
        )
        transport = LocalTransport(server: server)
    }

    /// Runs until nothing is left to do at once.
    func run() async throws {
        var step = try await machine.handle(.start, at: .zero)
        var waiting = step.requests
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            let result: Result<SyncAnswer, TransportFailure>
            do throws(TransportFailure) {
                result = .success(try await transport.answer(next.request, next.credentials))
            } catch {
                result = .failure(error)
            }
            step = try await machine.handle(.answered(next.number, result), at: .zero)
            waiting += step.requests
        }
    }
}
