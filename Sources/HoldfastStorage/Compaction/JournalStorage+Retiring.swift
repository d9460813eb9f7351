import Synchronization

extension JournalStorage {
    /// Gives up the segments of which nothing is needed any more.
    ///
    /// What decides is the state that a sync has made durable: in a newer one an entry may be
    /// superseded by a commit that a power loss takes away.
    ///
    /// - Parameters:
    ///   - candidates: Segments out of which all was moved that is needed elsewhere.
    ///   - leaving: The segments that were to go with them: what only hides something there was
    ///     left where it is.
    /// - Throws: ``StorageError``; what was not given up counts as before.
    func retire(
        _ candidates: [UInt32],
        givenUpWith leaving: Set<UInt32>
    ) async throws(StorageError) {
        guard !candidates.isEmpty else { return }
        try await finish(queue.withLock { queue throws(StorageError) in try queue.addSync() })
        guard let (end, usage) = queue.withLock({ $0.synced }) else { return }
        let place = RetiredSegments.Place(
            segment: end.header.number,
            epoch: end.epoch,
            offset: end.offset,
            chain: end.chain
        )
        let victims = usage.unneeded(
            of: candidates.filter { $0 < place.segment },
            givenUpWith: leaving
        )
        guard !victims.isEmpty, let map = changeReader.map.retiring(victims, proven: place)
        else { return }
        try compaction.requireRunning()
        try usingReserve { () throws(StorageError) in try write(map.retired) }
        changeReader.retire(victims, map.retired)
        writer.counters.retiredSegments.add(UInt64(victims.count), ordering: .relaxed)
        let retirement = queue.withLock { queue in
            queue.retire(map.retired.numbers)
            return queue.pin.retirement
        }
        compaction.state.withLock { state in
            state.leftovers += victims.map {
                Compaction.Leftover(segment: $0, retirement: retirement)
            }
            for victim in victims {
                state.fileBytes[victim] = nil
                state.progress[victim] = nil
            }
        }
    }

    private func write(_ retired: RetiredSegments) throws(StorageError) {
        do throws(StorageError) {
            try directory.place(
                StoreDirectory.retiredName,
                doing: "Compacting the store",
                bytes: RetiredFile.bytes(of: retired, store: store)
            )
        } catch {
            // Either list may stand after a power loss: nothing may be built on one of them.
            if error.code == .outcomeUnknown {
                compaction.state.withLock { $0.failure = error }
            }
            throw error
        }
    }

    /// Removes the files of retired segments that no snapshot and no checkpoint needs.
    func removeLeftovers() async throws(StorageError) {
        let leftovers = compaction.state.withLock { $0.leftovers }
            .filter { !pins.holds($0.segment, retiredIn: $0.retirement) }
        guard !leftovers.isEmpty else { return }
        try compaction.requireRunning()
        if leftovers.contains(where: { !$0.isCovered }) { try await cover() }
        try describing("Compacting the store") { () throws(SystemCallError) in
            for leftover in leftovers {
                do throws(SystemCallError) {
                    try directory.fileSystem.unlink(directory.segmentPath(leftover.segment))
                } catch  where error.errno == .notFound {
                    // An attempt that failed later has removed it.
                }
                // Behind that: a reader would open it again.
                files.close(leftover.segment)
            }
            try directory.fileSystem.syncDirectory(directory.path)
        }
        let removed = Set(leftovers.map(\.segment))
        compaction.state.withLock { state in
            state.leftovers.removeAll { removed.contains($0.segment) }
        }
    }

    /// Sees to it that no checkpoint needs what is left over by now.
    private func cover() async throws(StorageError) {
        let segments = Set(compaction.state.withLock { $0.leftovers.map(\.segment) })
        try await checkpointCovering()
        compaction.state.withLock { state in
            for index in state.leftovers.indices
            where segments.contains(state.leftovers[index].segment) {
                state.leftovers[index].isCovered = true
            }
        }
    }
}

extension JournalUsage {
    /// Those of some segments that can be given up together.
    ///
    /// A tombstone that hides something in a segment which was to go, and stays, was not moved: it
    /// keeps its own.
    func unneeded(of candidates: [UInt32], givenUpWith leaving: Set<UInt32>) -> [UInt32] {
        var going = Set(candidates.filter { live(in: $0) == 0 })
        while true {
            let staying = leaving.subtracting(going)
            let kept = going.filter { segment in
                tombstones(in: segment).contains { hiding in
                    staying.contains { $0 != segment && hiding.hidden.contains($0) }
                }
            }
            if kept.isEmpty { return going.sorted() }
            going.subtract(kept)
        }
    }
}
