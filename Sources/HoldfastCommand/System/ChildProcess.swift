package import HoldfastStorage
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A child process that this one started.
///
/// It is signalled and reaped by its own id, never by a name, so no other process can be hit: an
/// id stays taken until ``wait()`` has reaped it.
package final class ChildProcess: Sendable {
    /// How a child ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    private let identifier: pid_t
    private let ending = Mutex<Ending?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: The path of the program.
    ///   - arguments: What it gets, without its own name.
    ///   - input: Its standard input; empty when there is none.
    ///   - output: Its standard output; this process's own when there is none.
    ///   - errors: Its standard error; this process's own when there is none.
    /// - Throws: `SystemCallError`; there is no child.
    package init(
        _ executable: String,
        arguments: [String],
        input: Descriptor? = nil,
        output: Descriptor? = nil,
        errors: Descriptor? = nil
    ) throws(SystemCallError) {
        identifier = try Self.spawn(
            executable,
            [executable] + arguments,
            (input, output, errors)
        )
    }

    /// Starts this very program with its standard output in a pipe.
    ///
    /// - Returns: The child, and the end of the pipe to read.
    static func own(
        _ arguments: [String]
    ) throws -> (child: ChildProcess, output: Descriptor) {
        guard let executable = ownExecutable() else {
            throw Failure("this program's own path is unknown; is /proc mounted?")
        }
        let pipe = try Pipe()
        let child = try ChildProcess(executable, arguments: arguments, output: pipe.writeEnd)
        return (child, pipe.readEnd)
    }

    /// Its number, which is its own until it was waited for.
    var number: Int32 { identifier }

    /// Ends it at once (`kill -9`); does nothing when it has been reaped.
    package func kill() { send(SIGKILL) }

    /// Does what Ctrl-C does; does nothing when it has been reaped.
    package func interrupt() { send(SIGINT) }

    /// Asks it to end, as those who stop services do.
    package func terminate() { send(SIGTERM) }

    private func send(_ signal: Int32) {
        ending.withLock { ending in
            if ending == nil { _ = sendSignal(identifier, signal) }
        }
    }

    /// Waits for its end and reaps it.
    @discardableResult
    package func wait() throws(SystemCallError) -> Ending {
        if let ending = ending.withLock({ $0 }) { return ending }
        // The wait leaves it a zombie, whose id nobody else can get before it is reaped below.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 {
            if errno != EINTR { throw .last("waitid", "\(identifier)") }
        }
        return ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let result = Self.ending(of: status)
            ending = result
            return result
        }
    }

    /// The meaning of a wait status; libc has it only as macros.
    private static func ending(of status: Int32) -> Ending {
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
    }
}

extension ChildProcess {
    private static func spawn(
        _ executable: String,
        _ arguments: [String],
        _ streams: (input: Descriptor?, output: Descriptor?, errors: Descriptor?)
    ) throws(SystemCallError) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let places = [(streams.input, Int32(0)), (streams.output, 1), (streams.errors, 2)]
        for case (let stream?, let place) in places {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream.number, place)
        }
        var attributes = freshSignals()
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var identifier = pid_t()
        let failure = Pipe.inheritance.withLock { _ in
            unsafe withCStrings(arguments) { pointers in
                unsafe posix_spawn(
                    &identifier,
                    executable,
                    &actions,
                    &attributes,
                    pointers,
                    environ
                )
            }
        }
        guard failure == 0 else {
            throw SystemCallError(
                call: "posix_spawn",
                path: executable,
                errno: SystemErrorNumber(rawValue: failure)
            )
        }
        return identifier
    }

    #if canImport(Darwin)
    private typealias SpawnAttributes = posix_spawnattr_t?
    #else
    private typealias SpawnAttributes = posix_spawnattr_t
    #endif

    /// Attributes that undo what this process did to its own signals: a child would inherit both
    /// the blocked and the ignored ones.
    private static func freshSignals() -> SpawnAttributes {
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawnattr_init(&attributes)
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        return attributes
    }

    @unsafe
    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = unsafe strings.map { unsafe strdup($0) }
        defer {
            for index in unsafe pointers.indices { unsafe free(pointers[index]) }
        }
        return unsafe body(pointers + [nil])
    }
}

/// Outside the class, whose own method hides the name of libc's.
private func sendSignal(_ identifier: pid_t, _ signal: Int32) -> Int32 {
    kill(identifier, signal)
}
