extension StorageSnapshot {
    /// The value of a key that is at hand as an array; see ``value(for:)-(RawSpan)``.
    public func value(for key: [UInt8]) throws(StorageError) -> [UInt8]? {
        try key.withRawSpan { key throws(StorageError) in try value(for: key) }
    }

    /// Whether a key that is at hand as an array has a value; see ``contains(_:)-(RawSpan)``.
    public func contains(_ key: [UInt8]) throws(StorageError) -> Bool {
        try key.withRawSpan { key throws(StorageError) in try contains(key) }
    }
}

extension StorageTransaction {
    /// Sets the value of a key; see ``put(_:for:)-(RawSpan,_)``.
    public func put(_ value: [UInt8], for key: [UInt8]) throws(StorageError) {
        try key.withRawSpan { key throws(StorageError) in
            try value.withRawSpan { value throws(StorageError) in try put(value, for: key) }
        }
    }

    /// Removes a key and says whether it had a value; see ``delete(_:)-(RawSpan)``.
    @discardableResult
    public func delete(_ key: [UInt8]) throws(StorageError) -> Bool {
        try key.withRawSpan { key throws(StorageError) in try delete(key) }
    }
}
