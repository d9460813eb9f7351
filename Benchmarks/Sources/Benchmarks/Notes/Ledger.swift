/// What an engine has to hold: each note's number of updates, as far as they were acknowledged.
final class Ledger {
    let source: NoteSource
    private var revisions: [UInt32] = []

    init(_ source: NoteSource) { self.source = source }

    /// The number of notes.
    var count: Int { revisions.count }

    /// Notes that are not in the engine yet.
    func upcoming(_ count: Int) -> [Note] {
        (revisions.count..<revisions.count + count).map { source.note($0) }
    }

    /// Takes note that the next ones are in the engine.
    func inserted(_ count: Int) { revisions += repeatElement(0, count: count) }

    /// A note as the engine has to hold it.
    func note(_ number: Int) -> Note { source.note(number, revision: revisions[number]) }

    /// A note's next form, which the engine is about to store.
    func updated(_ number: Int) -> Note {
        revisions[number] += 1
        return note(number)
    }

    /// The keys of the notes with the greatest dates, the newest first.
    func newest(_ count: Int) -> [[UInt8]] {
        var newest: [(date: Int64, number: Int)] = []
        for number in revisions.indices {
            let date = source.date(number, revision: revisions[number])
            if newest.count == count, let last = newest.last, date <= last.date { continue }
            let place = newest.firstIndex { $0.date < date } ?? newest.count
            newest.insert((date, number), at: place)
            if newest.count > count { newest.removeLast() }
        }
        return newest.map { source.key($0.number) }
    }
}
