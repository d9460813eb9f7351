package import HoldfastStorage

/// A query's records as they were seen last, in order: what an observation keeps, and how it follows
/// changes without running the query again.
///
/// It holds every match up to its ``reach``. A record that comes to stand behind that is none of the
/// window's: it is found when the window is filled up from there.
package struct QueryWindow<Row: Sendable>: Sendable {
    /// A record of the window.
    package struct Entry: Sendable {
        package let position: RecordPosition
        package let row: Row
        /// The snapshot that the record was read in.
        package let seen: SequenceNumber

        package init(position: RecordPosition, row: Row, seen: SequenceNumber) {
            self.position = position
            self.row = row
            self.seen = seen
        }
    }

    /// A record that has changed, and what it is now; `nil` where it matches no longer.
    package struct Update: Sendable {
        package let key: [UInt8]
        package let entry: Entry?

        package init(key: [UInt8], entry: Entry?) {
            self.key = key
            self.entry = entry
        }
    }

    /// How far the window knows every match.
    package enum Reach: Sendable {
        case nowhere
        case through(RecordPosition)
        case everywhere
    }

    package private(set) var entries: [Entry] = []
    package private(set) var reach = Reach.nowhere
    private var members: Set<[UInt8]> = []
    private let order: RecordOrder
    private let limit: Int
    /// The greatest number of entries that are held beyond the limit.
    ///
    /// Those that new records push out are kept, so that a deletion finds the one that moves up.
    private let slack: Int

    /// A window that has yet to be filled.
    package init(in order: RecordOrder, limit: Int?, slack: Int = 32) {
        self.order = order
        self.limit = limit ?? .max
        self.slack = slack
    }

    /// The query's result, once nothing is missing.
    package var result: ArraySlice<Entry> { entries.prefix(limit) }

    /// How many entries to fetch behind the reach, at least one of which the result lacks; `nil` where
    /// it lacks none.
    package var missingCount: Int? {
        if case .everywhere = reach { return nil }
        guard entries.count < limit else { return nil }
        let missing = limit - entries.count
        // The first filling takes what was asked for; a later one comes again if it takes no more.
        if case .nowhere = reach { return missing }
        let (count, isUnlimited) = missing.addingReportingOverflow(slack)
        return isUnlimited ? .max : count
    }

    package func contains(_ key: [UInt8]) -> Bool { members.contains(key) }

    /// Whether a match at a position is one of the window's.
    package func reaches(_ position: RecordPosition) -> Bool {
        switch reach {
        case .nowhere: false
        case .everywhere: true
        case .through(let last): !order.precedes(last, position)
        }
    }

    /// Takes in what has changed, each key once.
    ///
    /// - Complexity: O(w + k log k) for w entries and k updates.
    package mutating func apply(_ updates: [Update]) {
        let changed = members.intersection(updates.map(\.key))
        if !changed.isEmpty {
            entries.removeAll { changed.contains($0.position.key) }
            members.subtract(changed)
        }
        insert(updates.compactMap(\.entry).filter { reaches($0.position) })
        trim()
    }

    /// Appends what was fetched behind the reach: all of it when that is fewer than was asked for.
    package mutating func append(_ fetched: [Entry], of asked: Int) {
        entries.append(contentsOf: fetched)
        for entry in fetched { members.insert(entry.position.key) }
        if fetched.count < asked {
            reach = .everywhere
        } else if let last = fetched.last {
            reach = .through(last.position)
        }
    }

    private mutating func insert(_ added: [Entry]) {
        guard !added.isEmpty else { return }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + added.count)
        var rest = entries[...]
        for entry in added.sorted(by: { order.precedes($0.position, $1.position) }) {
            let before = rest.prefix { order.precedes($0.position, entry.position) }
            merged.append(contentsOf: before)
            rest.removeFirst(before.count)
            merged.append(entry)
            members.insert(entry.position.key)
        }
        merged.append(contentsOf: rest)
        entries = merged
    }

    private mutating func trim() {
        let (most, isUnlimited) = limit.addingReportingOverflow(slack)
        guard !isUnlimited, entries.count > most else { return }
        for entry in entries[most...] { members.remove(entry.position.key) }
        entries.removeLast(entries.count - most)
        if let last = entries.last { reach = .through(last.position) }
    }
}
