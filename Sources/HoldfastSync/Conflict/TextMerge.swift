/// Two texts that were made of one, merged by lines.
///
/// What only one side changed is as that side has it. What both put at one place is there twice, the
/// server's first. Lines that both changed are as they are here.
struct TextMerge {
    private typealias Line = ArraySlice<UInt8>

    /// The merged text.
    let text: String
    /// Whether lines of the server's text were replaced.
    let discardsRemote: Bool

    init(base: String, local: String, remote: String) {
        let (base, local, remote) = (Self.lines(base), Self.lines(local), Self.lines(remote))
        var weaving = Weaving(base: base, local: local, remote: remote)
        weaving.run()
        text = Self.text(weaving.merged)
        discardsRemote = weaving.discardsRemote
    }

    /// The empty text has no line, so that two texts that were begun at once both stay.
    private static func lines(_ text: String) -> [Line] {
        if text.isEmpty { return [] }
        return Array(text.utf8)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private static func text(_ lines: [Line]) -> String {
        String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
    }

    private struct Weaving {
        let base: [Line]
        let local: [Line]
        let remote: [Line]
        var merged: [Line] = []
        var discardsRemote = false

        init(base: [Line], local: [Line], remote: [Line]) {
            self.base = base
            self.local = local
            self.remote = remote
        }

        /// Copies what both left alone, and merges what is changed, stretch by stretch.
        mutating func run() {
            var here = LineMatching.changes(from: base, to: local)[...]
            var there = LineMatching.changes(from: base, to: remote)[...]
            var (place, localShift, remoteShift) = (0, 0, 0)
            while let start = Self.earlier(here.first, there.first) {
                var stretch = start.old
                let growth = Self.absorb(&here, &there, &stretch)
                merged += base[place..<stretch.lowerBound]
                let localEnd = stretch.upperBound + localShift + growth.local
                let remoteEnd = stretch.upperBound + remoteShift + growth.remote
                merge(
                    base[stretch],
                    local[stretch.lowerBound + localShift..<localEnd],
                    remote[stretch.lowerBound + remoteShift..<remoteEnd]
                )
                localShift += growth.local
                remoteShift += growth.remote
                place = stretch.upperBound
            }
            merged += base[place...]
        }

        private static func earlier(
            _ first: LineMatching.Change?,
            _ second: LineMatching.Change?
        ) -> LineMatching.Change? {
            guard let first, let second else { return first ?? second }
            let isFirst =
                (first.old.lowerBound, first.old.upperBound)
                <= (second.old.lowerBound, second.old.upperBound)
            return isFirst ? first : second
        }

        /// Takes every change that touches the stretch, which grows by them.
        ///
        /// - Returns: By how many lines each side grows in it.
        private static func absorb(
            _ here: inout ArraySlice<LineMatching.Change>,
            _ there: inout ArraySlice<LineMatching.Change>,
            _ stretch: inout Range<Int>
        ) -> (local: Int, remote: Int) {
            var (local, remote) = (0, 0)
            while true {
                if let change = here.first, change.touches(stretch) {
                    local += change.growth
                    stretch = stretch.lowerBound..<max(stretch.upperBound, change.old.upperBound)
                    here.removeFirst()
                } else if let change = there.first, change.touches(stretch) {
                    remote += change.growth
                    stretch = stretch.lowerBound..<max(stretch.upperBound, change.old.upperBound)
                    there.removeFirst()
                } else {
                    return (local, remote)
                }
            }
        }

        private mutating func merge(
            _ base: ArraySlice<Line>,
            _ local: ArraySlice<Line>,
            _ remote: ArraySlice<Line>
        ) {
            if local.elementsEqual(base) || local.elementsEqual(remote) {
                merged += remote
            } else if remote.elementsEqual(base) {
                merged += local
            } else if base.isEmpty {
                join(local, remote)
            } else {
                merged += local
                discardsRemote = true
            }
        }

        /// Both put lines here; those that both begin with are one insertion.
        private mutating func join(_ local: ArraySlice<Line>, _ remote: ArraySlice<Line>) {
            let common = zip(local, remote).prefix { $0 == $1 }.count
            merged += remote
            merged += local.dropFirst(common)
        }
    }
}
