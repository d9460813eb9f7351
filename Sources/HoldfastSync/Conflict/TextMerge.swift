/// Two texts that were made of one, merged by lines (diff3; Khanna, Kunal and Pierce 2007).
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
        return Array(text.utf8).split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        )
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

        /// Goes from one line that all three have to the next, and merges what stands between.
        mutating func run() {
            let here = LineMatching.matches(of: base, in: local)
            let there = LineMatching.matches(of: base, in: remote)
            var (start, localStart, remoteStart) = (0, 0, 0)
            for line in base.indices {
                guard let localLine = here[line], let remoteLine = there[line] else { continue }
                merge(
                    base[start..<line],
                    local[localStart..<localLine],
                    remote[remoteStart..<remoteLine]
                )
                merged.append(base[line])
                (start, localStart, remoteStart) = (line + 1, localLine + 1, remoteLine + 1)
            }
            merge(base[start...], local[localStart...], remote[remoteStart...])
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
