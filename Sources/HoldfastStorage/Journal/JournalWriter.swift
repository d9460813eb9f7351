import Synchronization

/// Writes groups of frames to the disk, one at a time.
///
/// It keeps the rules of what may be written when; who may ask, and what follows from a failure, is
/// ``CommitQueue``'s.
final class JournalWriter: Sendable {
    enum Failure: Error {
        /// Nothing of the group stands; the journal ends where it did, or behind a seal.
        case undone(StorageError, end: JournalTail?)
        /// It is unknown what the disk holds: nothing may be written any more.
        case unknown(StorageError)

        /// Where the journal ends now, if that is not where it did.
        var end: JournalTail? {
            if case .undone(_, let end) = self { end } else { nil }
        }

        var cause: StorageError {
            switch self {
            case .undone(let error, _), .unknown(let error): error
            }
        }
    }

    private struct State {
        var active: (any File)?
        var activeSegment: UInt32 = 0
        /// `closed` stands and has to go before the next append.
        var hasWitness: Bool
        /// Where the frames end, while a write that was refused may have left something behind
        /// that.
        var staleFrom: UInt64?
    }

    let directory: StoreDirectory
    let preparer: SegmentPreparer
    let counters = JournalCounters()
    // Held over the disk's work: one group is written at a time, and the queue lets no second one
    // in.
    private let state: Mutex<State>

    init(directory: StoreDirectory, preparer: SegmentPreparer, hasWitness: Bool) {
        self.directory = directory
        self.preparer = preparer
        state = Mutex(State(hasWitness: hasWitness))
    }

    func write(_ group: JournalGroup) throws(Failure) {
        try state.withLock { state throws(Failure) in
            try removeWitness(&state)
            if let rotation = group.rotation { try rotate(rotation, &state) }
            let file: any File
            do throws(Failure) {
                file = try openActive(group.segment, &state)
                counters.groups.add(1, ordering: .relaxed)
                try append(group.bytes, to: file, at: group.offset, &state)
            } catch .undone(let error, _) {
                throw .undone(error, end: group.rotation?.started)
            }
            switch group.durability {
            case .synced: try sync(file)
            case .ordered: try final("Ordering the journal", file.barrier)
            case .buffered: break
            }
        }
    }

    /// Begins anew on a journal that another process has written to.
    func begin(hasWitness: Bool) {
        closeFile()
        state.withLock { $0 = State(hasWitness: hasWitness) }
    }

    /// Gives the written segment's file back.
    func closeFile() {
        state.withLock { state in
            state.active?.close()
            state.active = nil
        }
    }

    /// Writes the witness that the journal ends here, once nothing more will be written.
    func close(_ witness: CloseWitness) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            guard !state.hasWitness else { return }
            try directory.place(
                StoreDirectory.closedName,
                doing: "Closing the store",
                bytes: witness.bytes()
            )
            state.hasWitness = true
        }
    }

    /// A journal cut back to an older end must not meet a witness of the newer one.
    private func removeWitness(_ state: inout State) throws(Failure) {
        guard state.hasWitness else { return }
        let path = directory.path(StoreDirectory.closedName)
        try undoing("Writing the journal") { () throws(SystemCallError) in
            if try directory.fileSystem.kind(of: path) != nil {
                try directory.fileSystem.unlink(path)
            }
        }
        try final("Writing the journal") { () throws(SystemCallError) in
            try directory.fileSystem.syncDirectory(directory.path)
        }
        state.hasWitness = false
    }

    private func rotate(_ rotation: Rotation, _ state: inout State) throws(Failure) {
        // The next file is durable before the seal: sealed and alone means that it was lost.
        do throws(StorageError) {
            try preparer.prepare(
                rotation.started.header.number,
                size: rotation.started.capacity
            )
        } catch  where error.code == .outcomeUnknown {
            throw .unknown(error)
        } catch {
            throw .undone(error, end: rotation.seal == nil ? rotation.sealed : nil)
        }
        if let seal = rotation.seal {
            let file = try openActive(rotation.sealed.header.number, &state)
            try append(seal.bytes, to: file, at: seal.offset, &state)
            try sync(file)
        }
        preparer.begin(rotation.started.header.number)
        do throws(Failure) {
            let file = try openActive(rotation.started.header.number, &state)
            try undoing("Starting a segment") { () throws(SystemCallError) in
                try unsafe file.write(rotation.started.header.bytes().span.bytes, at: 0)
            }
            counters.countWrite(DoubledRecord.byteCount)
            try sync(file)
        } catch .undone(let error, _) {
            throw .undone(error, end: rotation.sealed)
        }
    }

    private func openActive(_ segment: UInt32, _ state: inout State) throws(Failure) -> any File {
        if let file = state.active, state.activeSegment == segment { return file }
        let file = try undoing("Writing the journal") { () throws(SystemCallError) in
            try directory.fileSystem.open(directory.segmentPath(segment), .readWrite)
        }
        state.active?.close()
        state.active = file
        state.activeSegment = segment
        state.staleFrom = nil
        return file
    }

    private func append(
        _ bytes: [UInt8],
        to file: any File,
        at offset: UInt64,
        _ state: inout State
    ) throws(Failure) {
        try cutOff(file, &state)
        do throws(SystemCallError) {
            if !bytes.isEmpty { try unsafe file.write(bytes.span.bytes, at: offset) }
            counters.countWrite(bytes.count)
        } catch {
            state.staleFrom = offset
            try cutOff(file, &state)
            throw Self.failure(error, "Writing the journal")
        }
    }

    /// Removes what a failed write left, before the failure is told.
    ///
    /// The first frames of it may stand whole, and so may a frame whose last bytes are the zeros
    /// that stood there: a crash would bring back what its writer was told is gone.
    private func cutOff(_ file: any File, _ state: inout State) throws(Failure) {
        guard let end = state.staleFrom else { return }
        do throws(SystemCallError) {
            try file.setSize(end)
        } catch  where error.isRefusal {
            // A locked device refuses to cut too. What it let through, if anything, has to go
            // first.
            guard
                (try? file.read(count: FrameHeader.byteCount, at: end))?.allSatisfy({ $0 == 0 })
                    == true
            else { throw .unknown(.unknownOutcome(error, doing: "Removing an unfinished write")) }
            throw Self.failure(error, "Writing the journal")
        } catch {
            throw .unknown(.unknownOutcome(error, doing: "Removing an unfinished write"))
        }
        try final("Removing an unfinished write", file.sync)
        state.staleFrom = nil
    }

    private func sync(_ file: any File) throws(Failure) {
        counters.syncs.add(1, ordering: .relaxed)
        try final("Syncing the journal", file.sync)
    }

    /// A call whose failure leaves the disk's state unknown.
    ///
    /// Nothing is tried again: after a failed sync the system may have dropped what it could not
    /// write, and a second one would succeed.
    private func final(
        _ doing: String,
        _ call: () throws(SystemCallError) -> Void
    ) throws(Failure) {
        do throws(SystemCallError) {
            try call()
        } catch {
            throw .unknown(.unknownOutcome(error, doing: doing))
        }
    }

    private func undoing<Result>(
        _ doing: String,
        _ call: () throws(SystemCallError) -> Result
    ) throws(Failure) -> Result {
        do throws(SystemCallError) {
            return try call()
        } catch {
            throw Self.failure(error, doing)
        }
    }

    private static func failure(_ error: SystemCallError, _ doing: String) -> Failure {
        .undone(StorageError(error, doing: doing), end: nil)
    }
}
