import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs `body` away from the main thread and ends the process with the status that it returns.
///
/// The main thread waits for signals alone. The first Ctrl-C or SIGTERM cancels the task, which ends at its
/// next safe point. One that cannot, because it waits for a pipe that nobody empties, is ended by
/// a second Ctrl-C or three seconds later: the store is consistent after any kill.
func launch(_ body: @escaping @Sendable () async -> ExitStatus) -> Never {
    fillStandardDescriptors()
    // A closed pipe is then an error of `write`, and no signal that ends the process.
    _ = signal(SIGPIPE, SIG_IGN)
    var interruption = sigset_t()
    unsafe sigemptyset(&interruption)
    unsafe sigaddset(&interruption, SIGINT)
    unsafe sigaddset(&interruption, SIGTERM)
    unsafe pthread_sigmask(SIG_BLOCK, &interruption, nil)
    let task = Task.detached {
        exit((await body()).rawValue)
    }
    var signal: Int32 = 0
    while unsafe sigwait(&interruption, &signal) != 0 {}
    termination.store(signal == SIGTERM, ordering: .releasing)
    task.cancel()
    unsafe pthread_sigmask(SIG_UNBLOCK, &interruption, nil)
    sleep(3)
    _exit(ExitStatus.interrupted.rawValue)
}

/// Whether it was SIGTERM that ended the process, as those who stop services send it.
func wasTerminated() -> Bool { termination.load(ordering: .acquiring) }

private let termination = Atomic(false)

/// Takes the places of standard streams that the caller has closed: a store's file that came to be
/// number 1 would have results written into it.
private func fillStandardDescriptors() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
        // Writing to standard output has to fail, not to vanish.
        _ = unsafe open("/dev/null", number == 1 ? O_RDONLY : O_RDWR)
    }
}
