import Synchronization

extension JournalStorage {
    /// Claims the reserve of a store that was opened, in the background.
    ///
    /// Where the disk is too full for it, compaction makes room, and what takes space waits.
    func claimReserve() {
        configuration.scheduler.schedule(after: .zero) { [weak self] in
            guard let self, self.queue.withLock({ $0.upkeepTail != nil }) else { return }
            do throws(StorageError) {
                try self.reserve.claim()
            } catch {
                if error.code == .diskFull { self.makeRoom() }
            }
        }
    }

    /// Refuses what takes space while the reserve is in use.
    ///
    /// - Throws: ``StorageError`` `.diskFull`; nothing has changed.
    func admit(frees: Bool) throws(StorageError) {
        guard !frees, reserve.isMissing else { return }
        do throws(StorageError) {
            try reserve.claim()
        } catch {
            if error.code == .diskFull { makeRoom() }
            throw error
        }
    }

    /// Lets compaction free what it can: at once when the disk has become full, and from then on
    /// now and then, since what could not be freed does not change from one refusal to the next.
    private func makeRoom() {
        scheduleCompaction(after: reserve.press() ? .zero : Self.compactionDelay)
    }

    /// Writes a group, with the help of the reserve where it frees space.
    func write(_ group: JournalGroup) throws(JournalWriter.Failure) {
        do throws(JournalWriter.Failure) {
            try writer.write(group)
            if group.holdsUpdates, !group.frees { reserve.relax() }
        } catch {
            guard case .undone(let cause, let end) = error, cause.code == .diskFull else {
                throw error
            }
            makeRoom()
            guard group.frees, reserve.release() else { throw error }
            scheduleCompaction(after: .zero)
            try writeAgain(group, from: end)
        }
    }

    /// Writes a group of which a first attempt left nothing but perhaps a seal or a new segment.
    private func writeAgain(
        _ group: JournalGroup,
        from end: JournalTail?
    ) throws(JournalWriter.Failure) {
        var group = group
        if let end, end == group.rotation?.sealed { group.rotation?.seal = nil }
        if let end, end == group.rotation?.started { group.rotation = nil }
        do throws(JournalWriter.Failure) {
            try writer.write(group)
        } catch .undone(let cause, let laterEnd) {
            throw .undone(cause, end: laterEnd ?? end)
        }
    }

    /// Runs something that frees space in the end, with the help of the reserve if it has to be.
    func usingReserve<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        do throws(StorageError) {
            return try body()
        } catch {
            guard error.code == .diskFull else { throw error }
            makeRoom()
            guard reserve.release() else { throw error }
            return try body()
        }
    }
}
