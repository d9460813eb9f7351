public import HoldfastStorage
import Synchronization

/// A disk in memory that can lose power, be killed, fill up, fail and rot: a `FileSystem` for
/// tests.
///
/// It keeps apart what programs see (the page cache), what the medium has, and what lies between:
/// unsynced writes by sectors of 512 bytes, unsynced sizes, and unsynced names. ``image()`` holds a
/// moment fast, and a crash of that moment is a new disk:
///
/// ```swift
/// let disk = SimulatedDisk()
/// // run a store on it
/// let killed = disk.image().afterKill()
/// let dark = disk.image().afterPowerLoss(seed: 7)
/// ```
///
/// It is deterministic: the same calls and the same seed give the same disk. Any method may be
/// called from any thread.
public final class SimulatedDisk: FileSystem {
    private let session: Mutex<DiskSession>

    /// An empty disk.
    ///
    /// - Parameter capacity: The space for files in bytes, given out in blocks of 4,096; `nil` for
    ///   no limit.
    public convenience init(capacity: Int? = nil) {
        self.init(DiskTree(), capacity: capacity)
    }

    init(_ tree: DiskTree, capacity: Int?) {
        session = Mutex(DiskSession(tree: tree, capacity: capacity))
    }

    /// What was asked of it so far.
    public var counters: DiskCounters { session.withLock { $0.counters } }

    /// The space that files take, in bytes.
    public var usedBytes: Int { session.withLock { $0.usedBytes } }

    /// The space for files in bytes, or `nil` for no limit; it can be changed while programs run.
    public var capacity: Int? {
        get { session.withLock { $0.capacity } }
        set { session.withLock { $0.capacity = newValue } }
    }

    /// This moment, to try crashes from.
    public func image() -> DiskImage {
        session.withLock { $0.image(before: nil) }
    }

    /// Makes it show a failure from now on; of several that meet one call, the first added counts.
    public func inject(_ fault: DiskFault) {
        session.withLock { $0.faults.append(fault) }
    }

    /// Takes every injected failure back.
    public func removeFaults() {
        session.withLock { $0.faults = [] }
    }

    /// Begins to record calls, and images where asked; what was recorded before is dropped.
    ///
    /// - Parameter images: Whether to take an image before each call that can change the disk.
    public func startRecording(images: Bool = false) {
        session.withLock { $0.recording = DiskRecording(takesImages: images) }
    }

    /// Takes one image, before the call that comes after so many more that can change the disk.
    func takeImage(after mutations: Int) {
        session.withLock { session in
            session.wantedImage = session.counters.mutations + mutations
            session.takenImage = nil
        }
    }

    /// The image that ``takeImage(after:)`` asked for, if that call was made.
    var takenImage: DiskImage? { session.withLock { $0.takenImage } }

    /// What was recorded since ``startRecording(images:)``; the recording goes on.
    public var recording: DiskRecording { session.withLock { $0.recording ?? DiskRecording() } }

    /// Makes one call: counted, recorded, subject to faults.
    func perform<Result: Sendable>(
        _ call: DiskCall,
        _ body: (inout DiskSession, DiskFault.Effect?) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        try session.withLock { session throws(SystemCallError) in
            let effect = session.begin(call)
            if case .error(let errno) = effect { throw call.kind.error(call.path, errno) }
            return try body(&session, effect)
        }
    }

    /// Looks at or changes it without a call.
    func inspect<Result: Sendable>(
        _ body: (inout DiskSession) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        try session.withLock { session throws(SystemCallError) in try body(&session) }
    }
}
