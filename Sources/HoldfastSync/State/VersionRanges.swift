import Holdfast

/// Versions that a server lost with a part of its history, as they are stored: first and last ones
/// in turn.
extension [ClosedRange<RecordVersion>] {
    var bounds: [JSONValue] {
        flatMap { [.integer($0.lowerBound.number), .integer($0.upperBound.number)] }
    }

    /// - Throws: ``SyncError`` `.damagedState`.
    init(bounds: [JSONValue]) throws {
        let numbers = bounds.compactMap(\.integerValue)
        guard numbers.count == bounds.count, numbers.count.isMultiple(of: 2) else {
            throw SyncError.damagedState("lost versions")
        }
        self = []
        for place in stride(from: 0, to: numbers.count, by: 2) {
            guard numbers[place] <= numbers[place + 1] else {
                throw SyncError.damagedState("lost versions")
            }
            append(RecordVersion(numbers[place])...RecordVersion(numbers[place + 1]))
        }
    }
}
