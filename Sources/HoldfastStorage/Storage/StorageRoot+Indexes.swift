/// What a change of one record changes in one index: only entries that differ.
struct IndexEdit {
    let index: Int
    var removed: [[UInt8]]
    var added: [[UInt8]]
}

extension StorageRoot {
    /// Works out what the indexes have to change when a key gets another value, or none.
    func indexEdits<Source: ValueSource>(
        replacing key: RawSpan,
        with value: RawSpan?,
        reading source: Source
    ) throws(StorageError) -> [IndexEdit] {
        var edits: [IndexEdit] = []
        for index in indexes.indices where indexes[index].definition.range.contains(key) {
            edits.append(IndexEdit(index: index, removed: [], added: []))
        }
        guard !edits.isEmpty else { return edits }
        try removeEntries(of: key, reading: source, from: &edits)
        guard let value else { return edits }
        for position in edits.indices {
            let keys = indexes[edits[position].index].entryKeys(of: key, value)
            edits[position].replace(with: keys)
        }
        return edits
    }

    private func removeEntries<Source: ValueSource>(
        of key: RawSpan,
        reading source: Source,
        from edits: inout [IndexEdit]
    ) throws(StorageError) {
        let removed = try records.withPayload(for: key) { (payload) throws(StorageError) in
            try source.withValue(at: payload, for: key) { old in
                edits.map { indexes[$0.index].entryKeys(of: key, old) }
            }
        }
        guard let removed else { return }
        for position in edits.indices { edits[position].removed = removed[position] }
    }

    mutating func apply(_ edits: [IndexEdit], recordBytes: Int) throws(StorageError) {
        for edit in edits {
            for key in edit.removed { try indexes[edit.index].remove(key) }
            for key in edit.added { try indexes[edit.index].insert(key, recordBytes: recordBytes) }
        }
    }

    /// Declares the indexes.
    ///
    /// Those that are new or of another version are built from the records, those that are not named
    /// are dropped. Of two definitions of one name the later one counts.
    ///
    /// - Throws: ``StorageError`` when a value cannot be read; the indexes are as they were.
    /// - Complexity: O(records) for each index that is built.
    package mutating func setIndexes<Source: ValueSource>(
        _ definitions: [IndexDefinition],
        reading source: Source
    ) throws(StorageError) {
        var declared: [SecondaryIndex] = []
        for definition in definitions {
            declared.removeAll { $0.definition.name == definition.name }
            declared.append(try index(definition, reading: source))
        }
        indexes = declared
    }

    private func index<Source: ValueSource>(
        _ definition: IndexDefinition,
        reading source: Source
    ) throws(StorageError) -> SecondaryIndex {
        if var kept = indexes.first(where: { $0.definition.name == definition.name }),
            kept.definition.version == definition.version
        {
            kept.definition = definition
            return kept
        }
        return try builtIndex(definition, reading: source)
    }

    private func builtIndex<Source: ValueSource>(
        _ definition: IndexDefinition,
        reading source: Source
    ) throws(StorageError) -> SecondaryIndex {
        var index = SecondaryIndex(definition, capacity: capacity)
        var failure: StorageError?
        try records.forEach(in: definition.range) { key, payload in
            do throws(StorageError) {
                let entries = try source.withValue(at: payload, for: key) {
                    index.entryKeys(of: key, $0)
                }
                for entry in entries { try index.insert(entry, recordBytes: key.byteCount) }
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

extension IndexEdit {
    /// Both lists are in order; what is in both is in neither afterwards.
    fileprivate mutating func replace(with keys: [[UInt8]]) {
        guard removed != keys else {
            removed = []
            return
        }
        let old = Set(removed)
        let new = Set(keys)
        removed.removeAll(where: new.contains)
        added = keys.filter { !old.contains($0) }
    }
}
