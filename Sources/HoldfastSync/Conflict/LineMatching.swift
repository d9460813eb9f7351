/// What leads from the lines of one text to those of another (Myers, "An O(ND) Difference Algorithm and Its
/// Variations", 1986).
enum LineMatching {
    /// Texts with more differences than this have nothing in common but their ends: the search is
    /// quadratic in them.
    private static let mostDifferences = 1_000

    /// Lines of a text that others take the place of.
    struct Change {
        /// The lines; an empty range where lines are put in.
        let old: Range<Int>
        /// How many lines more there are.
        let growth: Int

        /// Whether it changes lines of a stretch, or puts in lines where the stretch does.
        func touches(_ stretch: Range<Int>) -> Bool {
            old == stretch
                || old.lowerBound < stretch.upperBound && stretch.lowerBound < old.upperBound
        }
    }

    /// The changes, in their order.
    static func changes<Line: Hashable>(from old: [Line], to new: [Line]) -> [Change] {
        var changes: [Change] = []
        var (oldStart, newStart) = (0, 0)
        func change(upTo oldEnd: Int, _ newEnd: Int) {
            if oldStart == oldEnd, newStart == newEnd { return }
            let growth = (newEnd - newStart) - (oldEnd - oldStart)
            changes.append(Change(old: oldStart..<oldEnd, growth: growth))
        }
        for (line, match) in matches(of: old, in: new).enumerated() {
            guard let match else { continue }
            change(upTo: line, match)
            (oldStart, newStart) = (line + 1, match + 1)
        }
        change(upTo: old.count, new.count)
        return changes
    }

    /// For each line of a text, where it is in the other; `nil` for a line that is not there.
    private static func matches<Line: Hashable>(of old: [Line], in new: [Line]) -> [Int?] {
        var matches = [Int?](repeating: nil, count: old.count)
        let limit = min(old.count, new.count)
        var head = 0
        while head < limit, old[head] == new[head] {
            matches[head] = head
            head += 1
        }
        var tail = 0
        while tail < limit - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
            matches[old.count - 1 - tail] = new.count - 1 - tail
            tail += 1
        }
        var names: [Line: Int] = [:]
        let search = Search(
            old: old[head..<old.count - tail].map { name($0, &names) },
            new: new[head..<new.count - tail].map { name($0, &names) }
        )
        for (line, match) in search.pairs() { matches[head + line] = head + match }
        return matches
    }

    private static func name<Line: Hashable>(_ line: Line, _ names: inout [Line: Int]) -> Int {
        if let name = names[line] { return name }
        names[line] = names.count
        return names.count - 1
    }

    /// The search for the shortest way from one list to the other.
    private struct Search {
        let old: [Int]
        let new: [Int]

        func pairs() -> [(Int, Int)] {
            if old.isEmpty || new.isEmpty { return [] }
            var rounds: [[Int]] = []
            var reach = [0, 0, 0]
            let most = min(old.count + new.count, LineMatching.mostDifferences)
            for differences in 0...most {
                rounds.append(reach)
                var next = [Int](repeating: 0, count: 2 * differences + 5)
                for diagonal in stride(from: -differences, through: differences, by: 2) {
                    let line = follow(start(of: diagonal, differences, reach), diagonal)
                    next[diagonal + differences + 2] = line
                    if diagonal == old.count - new.count, line >= old.count {
                        return trace(rounds, differences)
                    }
                }
                reach = next
            }
            return []
        }

        /// The farthest line on a diagonal before any match: from the one below or above.
        private func start(of diagonal: Int, _ differences: Int, _ reach: [Int]) -> Int {
            if differences == 0 { return 0 }
            let place = diagonal + differences + 1
            let (below, above) = (reach[place - 1], reach[place + 1])
            if diagonal == -differences { return above }
            if diagonal != differences, below < above { return above }
            return below + 1
        }

        private func follow(_ line: Int, _ diagonal: Int) -> Int {
            var line = line
            while line < old.count, line - diagonal < new.count, line - diagonal >= 0,
                old[line] == new[line - diagonal]
            {
                line += 1
            }
            return line
        }

        /// The matches on the way that ended, found backwards.
        private func trace(_ rounds: [[Int]], _ differences: Int) -> [(Int, Int)] {
            var pairs: [(Int, Int)] = []
            var (line, diagonal) = (old.count, old.count - new.count)
            for round in stride(from: differences, through: 0, by: -1) {
                let start = start(of: diagonal, round, rounds[round])
                while line > start {
                    line -= 1
                    pairs.append((line, line - diagonal))
                }
                guard round > 0 else { break }
                let place = diagonal + round + 1
                let (below, above) = (rounds[round][place - 1], rounds[round][place + 1])
                let isDown = diagonal == -round || (diagonal != round && below < above)
                diagonal += isDown ? 1 : -1
                line = isDown ? above : below
            }
            return pairs
        }
    }
}
