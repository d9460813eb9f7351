import Dispatch
import Synchronization

/// Runs asynchronous work to its end; the fuzzer knows no other.
func wait<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
) -> Swift.Result<Result, any Error> {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    Task.detached {
        do {
            let value = try await body()
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    return result.withLock { $0 } ?? .failure(CancellationError())
}
