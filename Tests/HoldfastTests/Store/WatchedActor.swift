import Dispatch

/// An actor that tells what runs on it.
@globalActor actor WatchedActor {
    private final class Executor: SerialExecutor {
        static let isCurrent = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "watched")

        init() { queue.setSpecific(key: Self.isCurrent, value: true) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    static let shared = WatchedActor()

    /// Whether the code that asks runs on the actor.
    static nonisolated var isCurrent: Bool {
        DispatchQueue.getSpecific(key: Executor.isCurrent) ?? false
    }

    private let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }
}
