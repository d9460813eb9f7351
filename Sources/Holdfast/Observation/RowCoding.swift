import HoldfastStorage

/// How an observation makes rows of stored records, and tells whether two rows are the same.
package struct RowCoding<Row: Sendable>: Sendable {
    let decode: @Sendable (_ document: [UInt8], _ key: [UInt8], StoreState) throws -> Row
    /// Rows are the same when they are written the same: what a type's own `==` leaves out, such as
    /// all but the id, is seen all the same.
    let isSame: @Sendable (Row, Row) -> Bool
}

extension RowCoding where Row: Record {
    package static var record: Self {
        Self(
            decode: { try $2.decode(Row.self, $0, at: $1) },
            isSame: { first, second in
                guard let first = try? DocumentEncoder.encode(first).bytes,
                    let second = try? DocumentEncoder.encode(second).bytes
                else { return false }
                if first == second { return true }
                // A dictionary may be written in any order.
                guard let first = try? Document.decode(first) else { return false }
                return (try? Document.decode(second)) == first
            }
        )
    }
}

extension RowCoding where Row == JSONObject {
    package static var object: Self {
        Self(decode: { try $2.decode($0, at: $1) }, isSame: { $0 == $1 })
    }
}
