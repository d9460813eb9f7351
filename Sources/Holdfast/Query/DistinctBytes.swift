/// Byte strings that come in any order and more than once, and go out in order and once.
struct DistinctBytes {
    /// The strings, one behind the other.
    private var bytes: [UInt8] = []
    /// Where each one ends.
    private var ends: [Int] = []

    /// The number of strings that came, those counted that came again.
    var count: Int { ends.count }

    /// The string that came last.
    var last: [UInt8]? { ends.isEmpty ? nil : Array(bytes[range(of: ends.count - 1)]) }

    mutating func append(_ string: RawSpan) {
        string.append(to: &bytes)
        ends.append(bytes.count)
    }

    mutating func append(_ string: [UInt8]) { string.withRawSpan { append($0) } }

    /// Visits them in ascending or in descending order, until `visit` returns `false`.
    ///
    /// - Complexity: O(n log n).
    func forEach(ascending: Bool, _ visit: (RawSpan) throws -> Bool) rethrows {
        let order = bytes.withByteView { bytes in
            ends.indices.sorted { first, second in
                bytes[range(of: first)].order(to: bytes[range(of: second)]) == .before
            }
        }
        try bytes.withRawSpan { bytes in
            var last: Int?
            for position in ascending ? order : order.reversed() {
                let string = bytes.extracting(range(of: position))
                if let last, string.isSame(as: bytes.extracting(range(of: last))) { continue }
                guard try visit(string) else { return }
                last = position
            }
        }
    }

    private func range(of position: Int) -> Range<Int> {
        (position == 0 ? 0 : ends[position - 1])..<ends[position]
    }
}

extension RawSpan {
    fileprivate func isSame(as other: RawSpan) -> Bool {
        withByteView { bytes in other.withByteView { bytes.isEqual(to: $0) } }
    }
}
