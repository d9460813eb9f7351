/// How a write changes one index: entries of the record that was there, and of the one that will
/// be.
struct IndexEdit {
    let index: Int
    var removed: [[UInt8]]
    var added: [[UInt8]] = []

    /// Takes the entries of the new record; those that stay are neither removed nor added.
    mutating func replace(with keys: [[UInt8]]) {
        if removed == keys {
            removed = []
            return
        }
        added = Self.keys(keys, without: removed)
        removed = Self.keys(removed, without: keys)
    }

    /// Both ascend.
    private static func keys(_ keys: [[UInt8]], without others: [[UInt8]]) -> [[UInt8]] {
        var next = 0
        return keys.filter { key in
            while next < others.count, others[next].lexicographicallyPrecedes(key) { next += 1 }
            return next == others.count || others[next] != key
        }
    }
}

extension StorageRoot {
    /// How a write changes the indexes, found out before anything is changed; `nil` where no record
    /// is replaced, so that nothing can go wrong.
    ///
    /// - Throws: ``StorageError`` when the record that is there cannot be read.
    func indexEdits<Source: ValueSource>(
        replacing key: RawSpan,
        with value: RawSpan?,
        reading source: Source
    ) throws(StorageError) -> [IndexEdit]? {
        guard indexes.contains(where: { $0.definition.range.contains(key) }) else { return nil }
        var edits = try records.withPayload(for: key) { payload throws(StorageError) in
            try source.withValue(at: payload, for: key) { old in
                indexes.indices.filter { indexes[$0].definition.range.contains(key) }
                    .map { IndexEdit(index: $0, removed: indexes[$0].entryKeys(of: key, old)) }
            }
        }
        guard let value, let count = edits?.count else { return edits }
        for position in 0..<count {
            guard let index = edits?[position].index else { continue }
            edits?[position].replace(with: indexes[index].entryKeys(of: key, value))
        }
        return edits
    }

    /// Reads from its checkpoint what carrying out edits needs; then that cannot fail.
    func load(_ edits: [IndexEdit]) throws(StorageError) {
        for edit in edits {
            for key in edit.removed { try indexes[edit.index].entries.load(key) }
            for key in edit.added { try indexes[edit.index].entries.load(key) }
        }
    }

    /// Reads from its checkpoint what ``insertEntries(of:_:)`` needs; then that cannot fail.
    func loadEntries(of key: RawSpan, _ value: RawSpan) throws(StorageError) {
        for index in indexes where index.entries.hasPages && index.definition.range.contains(key) {
            for entry in index.entryKeys(of: key, value) { try index.entries.load(entry) }
        }
    }

    /// Carries out what ``indexEdits(replacing:with:reading:)`` found out.
    mutating func apply(_ edits: [IndexEdit], recordBytes: Int) throws(StorageError) {
        for edit in edits {
            for key in edit.removed { try indexes[edit.index].remove(key) }
            for key in edit.added { try indexes[edit.index].insert(key, recordBytes: recordBytes) }
        }
    }

    /// Adds the entries of a record that has none.
    mutating func insertEntries(of key: RawSpan, _ value: RawSpan) throws(StorageError) {
        for index in indexes.indices where indexes[index].definition.range.contains(key) {
            try indexes[index].insertEntries(of: key, value)
        }
    }

    /// Declares the indexes.
    ///
    /// Those that are new or of another version are built from the records, those that are not
    /// named are dropped. Of two definitions of one name the later one counts.
    ///
    /// - Parameters:
    ///   - definitions: The indexes.
    ///   - woken: Indexes of this state that a checkpoint had.
    ///   - source: Where values are read.
    /// - Returns: The number of entries of indexes that were built; `nil` when nothing changed but
    ///   that indexes were woken.
    /// - Throws: ``StorageError`` when a value cannot be read; the indexes are as they were.
    /// - Complexity: O(records) for each index that is built.
    @discardableResult
    package mutating func setIndexes<Source: ValueSource>(
        _ definitions: [IndexDefinition],
        waking woken: [SecondaryIndex] = [],
        reading source: Source
    ) throws(StorageError) -> Int? {
        var declared: [SecondaryIndex] = []
        var built = 0
        let known = indexes + woken
        for definition in definitions {
            declared.removeAll { $0.definition.name == definition.name }
            if var kept = known.first(where: { $0.definition.isSameIndex(as: definition) }) {
                kept.definition = definition
                declared.append(kept)
            } else {
                let index = try builtIndex(definition, reading: source)
                built += index.entries.count
                declared.append(index)
            }
        }
        let isNew = Set(declared.map(\.definition.name)) != Set(known.map(\.definition.name))
        indexes = declared
        return built > 0 || isNew ? built : nil
    }

    private func builtIndex<Source: ValueSource>(
        _ definition: IndexDefinition,
        reading source: Source
    ) throws(StorageError) -> SecondaryIndex {
        var index = SecondaryIndex(definition, capacity: capacity)
        var failure: StorageError?
        try source.scanUnordered(records, in: definition.range) { key, value in
            do throws(StorageError) {
                try index.insertEntries(of: key, value)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return index
    }
}
