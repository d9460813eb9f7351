import Synchronization

/// Makes the next segment's file ahead of its use: all zero, durable, under its final name.
///
/// Writing into blocks that are there and were written once makes a sync cheaper than growing a
/// file does.
final class SegmentPreparer: Sendable {
    let directory: StoreDirectory
    let configuration: JournalConfiguration
    private struct State {
        /// The segment that stands ready.
        var ready: UInt32?
        /// The size of its file, where that is known.
        var readyBytes: UInt64?
        /// The segment that is written: its file, and those before, are never made again.
        var begun: UInt32
        /// Set when a name may look durable and not be: no segment begins any more.
        var failure: StorageError?
    }

    /// Held over the disk's work, so that a writer that needs the file waits for the one who is
    /// making it instead of making it twice.
    private let state: Mutex<State>

    /// Prepares what follows segment `begun`; `ready` is the one behind it, if its file stands.
    init(
        directory: StoreDirectory,
        configuration: JournalConfiguration,
        begun: UInt32,
        ready: UInt32?
    ) {
        self.directory = directory
        self.configuration = configuration
        state = Mutex(State(ready: ready, begun: begun))
    }

    /// Makes segment `number` stand ready, with a file of this size.
    ///
    /// One that is far larger than that is made again, if `shrinks` says so.
    func prepare(
        _ number: UInt32,
        size: UInt64,
        shrinks: Bool = false
    ) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            // Work that comes late must not put an empty file in place of a segment.
            guard number > state.begun else { return }
            if number == state.ready {
                guard shrinks, try readyBytes(number, &state) >= 4 * size else { return }
            }
            if let failure = state.failure { throw failure }
            do throws(StorageError) {
                state.readyBytes = try place(number, upTo: size)
            } catch {
                if error.code == .outcomeUnknown { state.failure = error }
                throw error
            }
            state.ready = number
        }
    }

    /// Gives back what the file that stands ready has beyond the smallest segment, for a full disk.
    func shrink() throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            let size = configuration.segmentBytes(live: 0)
            guard let number = state.ready, number > state.begun,
                try readyBytes(number, &state) > size
            else { return }
            try describing("Preparing a segment") { () throws(SystemCallError) in
                let file = try directory.fileSystem.open(
                    directory.segmentPath(number),
                    .readWrite
                )
                defer { file.close() }
                try file.setSize(size)
            }
            state.readyBytes = size
        }
    }

    /// Makes the file, a small one where the disk has no room for its full size.
    ///
    /// - Returns: Its size.
    private func place(_ number: UInt32, upTo size: UInt64) throws(StorageError) -> UInt64 {
        let least = configuration.segmentBytes(live: 0)
        do throws(StorageError) {
            try place(number, size: size)
            return size
        } catch  where error.code == .diskFull && size > least {
            try place(number, size: least)
            return least
        }
    }

    private func readyBytes(
        _ number: UInt32,
        _ state: inout State
    ) throws(StorageError) -> UInt64 {
        if let bytes = state.readyBytes { return bytes }
        let bytes = try describing("Preparing a segment") { () throws(SystemCallError) in
            let file = try directory.fileSystem.open(directory.segmentPath(number), .read)
            defer { file.close() }
            return try file.size()
        }
        state.readyBytes = bytes
        return bytes
    }

    private func place(_ number: UInt32, size: UInt64) throws(StorageError) {
        let doing = "Preparing a segment"
        try directory.place(StoreDirectory.segmentName(number), doing: doing) {
            file throws(StorageError) in
            try describing(doing) { () throws(SystemCallError) in
                try file.fillWithZeros(from: 0, upTo: size)
            }
        }
    }

    /// Ends all preparing, and waits for what is under way: once the store's lock is given up,
    /// another process owns the names.
    func stop() {
        state.withLock { $0.begun = .max }
    }

    /// Begins again after ``stop()``, behind segment `begun`.
    func start(begun: UInt32, ready: UInt32?) {
        state.withLock { $0 = State(ready: ready, begun: begun) }
    }

    /// Says that a segment is about to be written.
    func begin(_ number: UInt32) {
        state.withLock { state in
            state.begun = max(state.begun, number)
            if state.ready == number {
                state.ready = nil
                state.readyBytes = nil
            }
        }
    }
}

extension File {
    /// Writes zeros, so that later writes there need no new blocks.
    func fillWithZeros(from start: UInt64, upTo end: UInt64) throws(SystemCallError) {
        guard start < end else { return }
        try allocate(upTo: end)
        let zeros = [UInt8](repeating: 0, count: Int(min(1 << 20, end - start)))
        var offset = start
        while offset < end {
            let count = Int(min(UInt64(zeros.count), end - offset))
            try unsafe write(zeros.span.bytes.extracting(first: count), at: offset)
            offset += UInt64(count)
        }
    }
}
