import HoldfastStorage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct POSIXFileTests {
    private let system = POSIXFileSystem()
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func aDescriptorInUseIsGivenBackOnlyAfterItsLastUser() throws {
        let number = open(directory("data"))
        let file = POSIXFile(descriptor: number, path: directory("data"))
        try file.withDescriptor("test") { number throws(SystemCallError) in
            file.close()
            #expect(fcntl(number, F_GETFD) != -1)
            #expect(throws: SystemCallError.self) { try file.size() }
        }
        // A racing test may have been given the number since; it is this file's no more.
        #expect(!isOpen(number, directory("data")))
    }

    // Where a lock has to go by a close, the test has a process of its own: a child that another
    // test is starting shares every descriptor until it runs its program.
    @Test func theLastReferenceClosesTheFile() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let system = POSIXFileSystem()
            let first = try system.open(directory("data"), .createNew)
            var second: (any File)? = try system.open(directory("data"), .readWrite)
            try #require(try second?.tryLock(.exclusive) == true)
            try #require(try first.tryLock(.exclusive) == false)
            second = nil
            try #require(try first.tryLock(.exclusive))
        }
    }

    @Test func aSpawnedChildDoesNotKeepTheLock() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let system = POSIXFileSystem()
            let first = try system.open(directory("lock"), .createNew)
            try #require(try first.tryLock(.exclusive))
            let child = try spawnSleeper(directory("pipe"))
            defer { kill(child, SIGKILL) }
            first.close()
            try #require(try system.open(directory("lock"), .readWrite).tryLock(.exclusive))
            try #require(kill(child, 0) == 0)
        }
    }

    @Test func aStoreIsNeverAStandardStream() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            for stream in 0...2 as ClosedRange<Int32> { close(stream) }
            let file = try POSIXFileSystem().open(directory("data"), .createNew)
            for stream in 0...2 as ClosedRange<Int32> {
                guard !isOpen(stream, file.path) else { exit(1) }
            }
            guard try file.size() == 0 else { exit(1) }
        }
    }

    private func open(_ path: String) -> Int32 {
        #if canImport(Glibc)
        unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
        unsafe Musl.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #elseif canImport(Darwin)
        unsafe Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #endif
    }
}

/// Whether a descriptor is the file at a path.
private func isOpen(_ number: Int32, _ path: String) -> Bool {
    var there = stat()
    var here = stat()
    guard unsafe fstat(number, &here) == 0, unsafe stat(path, &there) == 0 else { return false }
    return here.st_ino == there.st_ino && here.st_dev == there.st_dev
}

/// Starts a child that stays, and returns when it runs its program: it says so through a pipe.
private func spawnSleeper(_ pipe: String) throws -> pid_t {
    let made = unsafe mkfifo(pipe, 0o600)
    try #require(made == 0)
    var child: pid_t = 0
    let words: [UnsafeMutablePointer<CChar>?] = unsafe [
        strdup("sh"), strdup("-c"), strdup("echo > \(pipe); exec sleep 600"), nil,
    ]
    let result = unsafe posix_spawn(&child, "/bin/sh", nil, nil, words, [nil])
    try #require(result == 0)
    // This open waits for the child's own. The kernel lets a spawning parent go on while the child
    // still holds the parent's descriptors; a shell that runs its words holds them no more.
    let end = unsafe open(pipe, O_RDONLY | O_CLOEXEC)
    try #require(end >= 0)
    close(end)
    return child
}
