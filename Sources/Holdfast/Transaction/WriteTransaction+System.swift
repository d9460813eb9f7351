package import HoldfastStorage

/// Entries of a ``SystemSpace``, by their whole keys.
extension WriteTransaction {
    /// Sets the value of an entry.
    ///
    /// - Throws: ``StoreError`` `.transactionTooLarge`, or another when the key is longer than
    ///   2,048 bytes; the transaction is as it was.
    package mutating func putSystem(_ value: [UInt8], for key: [UInt8]) throws {
        assert(SystemSpace.allCases.contains { key.starts(with: $0.prefix) })
        try StoreError.translate { try storage.put(value, for: key) }
    }

    /// Removes an entry.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package mutating func deleteSystem(_ key: [UInt8]) throws -> Bool {
        assert(SystemSpace.allCases.contains { key.starts(with: $0.prefix) })
        return try StoreError.translate { try storage.delete(key) }
    }

    /// Removes all entries of a range.
    ///
    /// - Returns: How many there were.
    @discardableResult
    package mutating func deleteSystem(in range: KeyRange) throws -> Int {
        assert(SystemSpace.allCases.contains { range.lower.starts(with: $0.prefix) })
        var count = 0
        let storage = storage
        try StoreError.translate {
            try storage.scanKeys(range, .forward) { key in
                try storage.delete(key)
                count += 1
                return true
            }
        }
        return count
    }
}
