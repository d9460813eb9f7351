import Synchronization

/// A query's records as they were seen last, in order: what an observation keeps, and how it
/// follows changes without running the query again.
///
/// It holds every match up to its ``reach``. A record that comes to stand behind that is none of
/// the window's: it is found when the window is filled up from there. It has one holder at a time,
/// and changes in place.
package struct QueryWindow<Row: Sendable>: ~Copyable, Sendable {
    /// A record of the window.
    ///
    /// Its row is made when the result needs it: a record beyond the limit may not fit the type,
    /// and nobody asked for it.
    package final class Entry: Sendable {
        private enum Content {
            case document([UInt8])
            case row(Row)
        }

        package let position: RecordPosition
        private let content: Mutex<Content>

        /// A record at a place, as it is stored.
        package init(position: RecordPosition, document: [UInt8]) {
            self.position = position
            content = Mutex(.document(document))
        }

        /// The row.
        ///
        /// - Throws: What `decode` throws for a record that does not fit.
        package func row(
            _ decode: (_ document: [UInt8], _ key: [UInt8]) throws -> Row
        ) throws -> Row {
            try content.withLock { content in
                switch content {
                case .row(let row): return row
                case .document(let document):
                    let row = try decode(document, position.key)
                    content = .row(row)
                    return row
                }
            }
        }
    }

    /// A record that has changed, and what it is now; `nil` where it matches no longer.
    package struct Update: Sendable {
        package let key: [UInt8]
        package let entry: Entry?

        /// What has become of the record with a key.
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

    /// What is known, in order.
    package private(set) var entries: [Entry] = []
    package private(set) var reach = Reach.nowhere
    /// The result as it was shown last; `nil` before the first time.
    private var shown: [Entry]?
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

    /// How many entries to fetch behind the reach, at least one of which the result lacks; `nil`
    /// where it lacks none.
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

    /// Takes note of the result as shown.
    ///
    /// - Parameters:
    ///   - decode: Makes a row of a record.
    ///   - isSame: Whether two rows of one record are the same.
    /// - Returns: The result, if it differs from the one that this gave last.
    /// - Throws: What `decode` throws.
    /// - Complexity: O(w) for w entries, and a comparison for each that was read anew.
    package mutating func takeResult(
        _ decode: (_ document: [UInt8], _ key: [UInt8]) throws -> Row,
        _ isSame: (Row, Row) -> Bool
    ) throws -> [Row]? {
        let count = min(entries.count, limit)
        if try hasShown(count, decode, isSame) { return nil }
        shown = count == entries.count ? entries : Array(entries[..<count])
        var rows: [Row] = []
        rows.reserveCapacity(count)
        for position in 0..<count { rows.append(try entries[position].row(decode)) }
        return rows
    }

    private func hasShown(
        _ count: Int,
        _ decode: (_ document: [UInt8], _ key: [UInt8]) throws -> Row,
        _ isSame: (Row, Row) -> Bool
    ) throws -> Bool {
        guard let shown, shown.count == count else { return false }
        for position in 0..<count where entries[position] !== shown[position] {
            let (new, old) = (entries[position], shown[position])
            guard new.position.key == old.position.key else { return false }
            guard try isSame(new.row(decode), old.row(decode)) else { return false }
        }
        return true
    }
}

extension QueryWindow {
    /// Takes in what has changed, each key once.
    ///
    /// - Complexity: O(k log w) comparisons for k updates and w entries, and O(w) moves for each
    ///   update or, when they are many, for all together.
    package mutating func apply(_ updates: [Update]) {
        remove(updates)
        var added: [Entry] = []
        for update in updates {
            if let entry = update.entry, reaches(entry.position) { added.append(entry) }
        }
        insert(added)
        trim()
    }

    /// Forgets all but what was shown.
    package mutating func removeAll() {
        entries = []
        members = []
        reach = .nowhere
    }

    /// Appends what was fetched behind the reach: all of it when that is fewer than was asked for.
    package mutating func append(_ fetched: [Entry], of asked: Int) {
        entries.append(contentsOf: fetched)
        for entry in fetched {
            let isNew = members.insert(entry.position.key).inserted
            assert(isNew, "what is behind the reach is none of the window's")
        }
        if fetched.count < asked {
            reach = .everywhere
        } else if let last = fetched.last {
            reach = .through(last.position)
        }
    }

    private mutating func remove(_ updates: [Update]) {
        var removed: [[UInt8]] = []
        for update in updates where members.remove(update.key) != nil { removed.append(update.key) }
        if removed.count == 1 {
            entries.removeAll { $0.position.key == removed[0] }
        } else if removed.count > 1 {
            let removed = Set(removed)
            entries.removeAll { removed.contains($0.position.key) }
        }
    }

    private mutating func insert(_ added: [Entry]) {
        for entry in added { members.insert(entry.position.key) }
        if added.count == 1 {
            entries.insert(added[0], at: place(of: added[0].position))
        } else if added.count > 1 {
            merge(added.sorted { order.precedes($0.position, $1.position) })
        }
    }

    private mutating func merge(_ added: [Entry]) {
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + added.count)
        var rest = entries[...]
        for entry in added {
            let before = rest.prefix { order.precedes($0.position, entry.position) }
            merged.append(contentsOf: before)
            rest.removeFirst(before.count)
            merged.append(entry)
        }
        merged.append(contentsOf: rest)
        entries = merged
    }

    /// Where an entry at a position belongs.
    private func place(of position: RecordPosition) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = low + (high - low) / 2
            if order.precedes(entries[middle].position, position) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private mutating func trim() {
        let (most, isUnlimited) = limit.addingReportingOverflow(slack)
        guard !isUnlimited, entries.count > most else { return }
        for entry in entries[most...] { members.remove(entry.position.key) }
        entries.removeLast(entries.count - most)
        if let last = entries.last { reach = .through(last.position) }
    }
}
