/// The segments of a journal that count, and those that do not any more.
struct JournalMap: Sendable {
    /// In order.
    var headers: [SegmentHeader] = []
    var retired = RetiredSegments()

    /// Where a segment ends, by what the next one says; `nil` for the last one.
    func end(ofIndex index: Int) -> SegmentBoundary? {
        let number = headers[index].number
        if index + 1 < headers.count, headers[index + 1].number == number &+ 1 {
            return headers[index + 1].start
        }
        return retired.range(holding: number &+ 1)?.start
    }

    func index(of number: UInt32) -> Int? {
        var (low, high) = (0, headers.count)
        while low < high {
            let middle = (low + high) / 2
            if headers[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < headers.count && headers[low].number == number ? low : nil
    }

    /// The map without some segments, of which the last is not one; `nil` where one of them is not
    /// there or has no end yet.
    func retiring(_ numbers: [UInt32], proven: RetiredSegments.Place) -> JournalMap? {
        var map = self
        for number in numbers {
            guard let index = index(of: number), let end = end(ofIndex: index) else { return nil }
            map.retired.insert(headers[index], end: end)
        }
        let gone = Set(numbers)
        map.headers.removeAll { gone.contains($0.number) }
        map.retired.proven = proven
        return map
    }
}
