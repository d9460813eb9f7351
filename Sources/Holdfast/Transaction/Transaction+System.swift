package import HoldfastStorage

/// Entries of a ``SystemSpace``, by their whole keys.
extension Transaction where Self: ~Copyable {
    /// The value of an entry, or `nil` where there is none.
    ///
    /// - Complexity: O(log n) and at most one read from the disk.
    package func systemValue(for key: [UInt8]) throws -> [UInt8]? {
        try StoreError.translate { try state.value(for: key) }
    }

    /// Whether there is an entry.
    package func containsSystem(_ key: [UInt8]) throws -> Bool {
        try StoreError.translate { try state.storage.contains(key) }
    }

    /// The number of entries in a range.
    ///
    /// - Complexity: O(log n).
    package func countSystem(in range: KeyRange) throws -> Int {
        try StoreError.translate { try state.storage.count(in: range) }
    }

    /// Visits the entries of a range in order, as they are when it begins.
    ///
    /// - Parameters:
    ///   - range: Whole keys, inside of a space.
    ///   - direction: The order.
    ///   - visit: Called for each; `false` ends the scan.
    /// - Throws: What `visit` throws, or ``StoreError``.
    package func scanSystem(
        _ range: KeyRange,
        _ direction: ScanDirection = .forward,
        _ visit: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
        try StoreError.translate {
            try state.storage.scan(range, direction) { try visit($0.array, $1.array) }
        }
    }

    /// Visits the keys of a range in order, without reading their values.
    package func scanSystemKeys(
        _ range: KeyRange,
        _ direction: ScanDirection = .forward,
        _ visit: (_ key: [UInt8]) throws -> Bool
    ) throws {
        try StoreError.translate {
            try state.storage.scanKeys(range, direction) { try visit($0.array) }
        }
    }
}
