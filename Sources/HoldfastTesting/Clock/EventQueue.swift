/// What is going to happen, by virtual time; of two events at one moment the one that was added
/// first.
struct EventQueue<Event> {
    private struct Item {
        let time: Duration
        let order: UInt64

        static func < (left: Item, right: Item) -> Bool {
            (left.time, left.order) < (right.time, right.order)
        }
    }

    /// A binary heap, the next event first; the events themselves stay where they are.
    private var items: [Item] = []
    private var events: [UInt64: Event] = [:]
    private var lastOrder: UInt64 = 0

    /// When the next event is due.
    var nextTime: Duration? { items.first?.time }

    mutating func add(_ event: Event, at time: Duration) {
        lastOrder += 1
        events[lastOrder] = event
        items.append(Item(time: time, order: lastOrder))
        var child = items.count - 1
        while child > 0, case let parent = (child - 1) / 2, items[child] < items[parent] {
            items.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next() -> (time: Duration, event: Event)? {
        guard let first = items.first, let event = events.removeValue(forKey: first.order) else {
            return nil
        }
        items.swapAt(0, items.count - 1)
        items.removeLast()
        var parent = 0
        while true {
            let left = 2 * parent + 1
            let right = left + 1
            var least = parent
            if left < items.count, items[left] < items[least] { least = left }
            if right < items.count, items[right] < items[least] { least = right }
            if least == parent { break }
            items.swapAt(parent, least)
            parent = least
        }
        return (first.time, event)
    }
}
