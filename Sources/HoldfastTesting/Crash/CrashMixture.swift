import HoldfastStorage

/// How often a random workload does what.
///
/// It is drawn itself: few keys that are overwritten again and again, many that come and go, large
/// transactions and single ones lead to different corners of an engine.
struct CrashMixture {
    private let longest: Int
    private let actions: [String]
    private let keys: Int
    private let deletes: Int
    private let writes: Int
    private let pauses: Int
    private let synced: Int

    init(longest: Int, actions: [String], _ random: inout SplitMix64) {
        self.longest = longest
        self.actions = actions
        keys = [1, 3, 8, 8, 40][random.next(below: 5)]
        deletes = [0, 2, 4, 8][random.next(below: 4)]
        writes = [1, 3, 3, 12][random.next(below: 4)]
        pauses = [1, 3, 6][random.next(below: 3)]
        synced = [1, 4, 7][random.next(below: 3)]
    }

    func operation(_ random: inout SplitMix64) -> CrashOperation {
        if random.next(below: 16) < pauses { return pause(&random) }
        let writes = (0...random.next(below: writes)).map { _ in write(&random) }
        if random.next(below: 8) < synced { return .commit(writes, .synced) }
        return .commit(writes, random.next(below: 4) == 0 ? .ordered : .buffered)
    }

    private func pause(_ random: inout SplitMix64) -> CrashOperation {
        let others: [CrashOperation] = [
            .reopen, .wait(.zero), .wait(.milliseconds(20)), .wait(.seconds(1)),
        ]
        let choice = random.next(below: others.count + 2 * actions.count)
        if choice < others.count { return others[choice] }
        return .action(actions[(choice - others.count) / 2])
    }

    private func write(_ random: inout SplitMix64) -> CrashWrite {
        let key = UInt8(random.next(below: keys))
        if random.next(below: 16) < deletes { return .delete(key: key) }
        let bound = random.next(below: 4) == 0 ? longest : 40
        return .put(key: key, length: 8 + random.next(below: bound))
    }
}
