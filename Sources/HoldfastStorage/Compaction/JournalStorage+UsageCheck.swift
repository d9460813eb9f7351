import Synchronization

extension JournalStorage {
    /// Counts again what the records use of each segment.
    ///
    /// - Returns: The segments whose count is wrong; empty in a store that is as it should be.
    /// - Complexity: O(records).
    package func checkUsage() throws(StorageError) -> [UInt32] {
        let root = queue.withLock { $0.published }
        guard let usage = root.usage else { return [] }
        var counted: [UInt32: UInt64] = [:]
        try root.records.forEach(in: .all, .forward) { _, payload in
            let location = EntryLocation(payload)
            counted[location.segment, default: 0] += UInt64(location.length)
            return true
        }
        var wrong = Set(counted.filter { usage.live(in: $0.key) != $0.value }.keys)
        for header in changeReader.map.headers
        where usage.live(in: header.number) != counted[header.number, default: 0] {
            wrong.insert(header.number)
        }
        wrong.formUnion(counted.keys.filter { usage.retired.contains($0) })
        return wrong.sorted()
    }

    /// The segments that count, and those whose files wait to be removed.
    package var segmentNumbers: (present: [UInt32], leftover: [UInt32]) {
        (
            changeReader.map.headers.map(\.number),
            compaction.state.withLock { $0.leftovers.map(\.segment) }
        )
    }
}
