import HoldfastStorage
import HoldfastTesting
import Synchronization
import Testing

/// A store that another process writes to while it is verified.
@Suite struct ConcurrentVerificationTests {
    /// A store that was closed, or killed before its last commits were proven, and then each moment
    /// of the next writer's life, recovery, rotations and the close included.
    private static func moments(wasClosed: Bool) async throws -> [SimulatedDisk] {
        var store = try await TestStore.filled(5)
        if !wasClosed {
            let storage = try await store.open()
            for number in 1...3 { try await storage.put("lost", for: "\(number)", .buffered) }
            store = TestStore(store.disk.image().afterKill())
        }
        store.disk.startRecording(images: true)
        let storage = try await store.open()
        for number in 1...60 {
            let durability: Durability = number % 3 == 0 ? .synced : .buffered
            try await storage.put(TestStore.filler(number), for: "key \(number)", durability)
            if number % 7 == 0 { await store.scheduler.run(for: .milliseconds(20)) }
        }
        try await storage.close()
        let images = store.disk.recording.images + [store.disk.image()]
        return images.map { $0.afterKill() }
    }

    @Test(arguments: [0.03, 0.25, 1, 5, 12], [true, false])
    func aWriterAtWorkIsNeverTakenForDamage(momentsPerCall: Double, wasClosed: Bool) async throws {
        let moments = try await Self.moments(wasClosed: wasClosed)
        try #require(moments.count > 60)
        for start in moments.indices {
            let disk = MovingDisk(moments) { start + Int(Double($0) * momentsPerCall) }
            #expect(try Self.findings(on: disk) == [], "from moment \(start)")
        }
    }

    @Test(arguments: [2, 9, 40])
    func aWriterThatRunsAheadBetweenTwoReadsIsNeverTakenForDamage(_ moments: Int) async throws {
        let all = try await Self.moments(wasClosed: true)
        for start in stride(from: 0, to: all.count, by: 4) {
            for call in 1..<40 {
                let disk = MovingDisk(all) { $0 < call ? start : start + moments }
                #expect(try Self.findings(on: disk) == [], "moment \(start), call \(call)")
            }
        }
    }

    private static func findings(on disk: MovingDisk) throws -> [Finding] {
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        return try JournalVerifier.verify(at: TestStore.path, configuration: configuration).findings
    }
}

/// A disk that shows later moments as it is called.
private final class MovingDisk: FileSystem {
    private let moments: [SimulatedDisk]
    private let moment: @Sendable (_ call: Int) -> Int
    private let calls = Mutex(0)

    init(_ moments: [SimulatedDisk], at moment: @escaping @Sendable (_ call: Int) -> Int) {
        self.moments = moments
        self.moment = moment
    }

    /// The moment of the next call; the first one and the last are without a writer.
    func next() -> (disk: SimulatedDisk, hasWriter: Bool) {
        let index = calls.withLock { calls in
            calls += 1
            return min(moment(calls - 1), moments.count - 1)
        }
        return (moments[index], index > 0 && index < moments.count - 1)
    }

    func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> any File {
        MovingFile(disk: self, try next().disk.open(path, access))
    }

    func list(_ path: String) throws(SystemCallError) -> [String] { try next().disk.list(path) }

    func kind(of path: String) throws(SystemCallError) -> FileKind? {
        try next().disk.kind(of: path)
    }

    func createDirectory(_ path: String) throws(SystemCallError) { throw refusal(path) }
    func rename(_ path: String, to newPath: String) throws(SystemCallError) { throw refusal(path) }
    func unlink(_ path: String) throws(SystemCallError) { throw refusal(path) }
    func syncDirectory(_ path: String) throws(SystemCallError) { throw refusal(path) }
}

private final class MovingFile: File {
    private let disk: MovingDisk
    private let first: any File
    var path: String { first.path }

    init(disk: MovingDisk, _ first: any File) {
        self.disk = disk
        self.first = first
    }

    func size() throws(SystemCallError) -> UInt64 { try current().size() }

    func readOnce(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemCallError) -> Int {
        try unsafe current().readOnce(into: buffer, at: offset)
    }

    func tryLock(_ kind: FileLock) throws(SystemCallError) -> Bool { !disk.next().hasWriter }

    /// The file as it is by now; one that was removed stays as it was.
    private func current() throws(SystemCallError) -> any File {
        do throws(SystemCallError) {
            return try disk.next().disk.open(path, .read)
        } catch  where error.errno == .notFound {
            return first
        }
    }

    func unlock() {}
    func close() { first.close() }
    func writeOnce(_ bytes: RawSpan, at offset: UInt64) throws(SystemCallError) -> Int {
        throw refusal(path)
    }
    func setSize(_ size: UInt64) throws(SystemCallError) { throw refusal(path) }
    func allocate(upTo size: UInt64) throws(SystemCallError) { throw refusal(path) }
    func sync() throws(SystemCallError) { throw refusal(path) }
    func barrier() throws(SystemCallError) { throw refusal(path) }
}

/// Verifying changes nothing: whatever could is refused.
private func refusal(_ path: String) -> SystemCallError {
    SystemCallError(call: "change", path: path, errno: .readOnlyFileSystem)
}
