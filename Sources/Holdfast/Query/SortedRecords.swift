/// The positions that come first in an order, at most a given number of them.
///
/// It is a heap with the last position on top while more come in than are kept.
struct SortedRecords {
    private let order: RecordOrder
    private let limit: Int
    private var positions: [RecordPosition] = []

    var isEmpty: Bool { positions.isEmpty }

    /// Keeps at most `limit` positions, at least 1; all where it is `nil`.
    init(in order: RecordOrder, limit: Int?) {
        self.order = order
        self.limit = limit ?? .max
    }

    /// - Complexity: O(log k) for k positions that are kept, O(1) for one that is not.
    mutating func insert(_ position: RecordPosition) {
        if positions.count < limit {
            positions.append(position)
            if limit < .max { siftUp() }
        } else if order.precedes(position, positions[0]) {
            positions[0] = position
            siftDown()
        }
    }

    /// Forgets what was kept.
    mutating func removeAll() { positions.removeAll(keepingCapacity: true) }

    /// What was kept, in order.
    func sorted() -> [RecordPosition] {
        positions.sorted { order.precedes($0, $1) }
    }

    private mutating func siftUp() {
        var child = positions.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard order.precedes(positions[parent], positions[child]) else { return }
            positions.swapAt(parent, child)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var last = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < positions.count {
                if order.precedes(positions[last], positions[child]) { last = child }
            }
            if last == parent { return }
            positions.swapAt(parent, last)
            parent = last
        }
    }
}
