/// Which transaction wrote what the new store holds of each key, so that an older version that is
/// met later does not win.
struct SalvagedVersions {
    private var tree = BTree()

    /// Takes a change unless a newer one of its key was met.
    ///
    /// - Returns: Whether it is to be applied.
    mutating func take(_ change: SalvagedChange) throws(StorageError) -> Bool {
        let number = change.number.rawValue
        return try change.key.withRawSpan { key throws(StorageError) in
            let known = try tree.withPayload(for: key) { $0.integer(at: 0, as: UInt64.self) }
            if let known, known > number { return false }
            // Within a transaction a delete that was moved came before the put.
            if known == number, change.isMoved, change.value == nil { return false }
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            _ = try bytes.withRawSpan { payload throws(StorageError) in
                try tree.insert(payload, for: key)
            }
            return true
        }
    }
}
