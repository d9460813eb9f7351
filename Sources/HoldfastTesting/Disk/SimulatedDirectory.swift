/// A directory of a simulated disk: its entries as programs see them and as the medium has them.
struct SimulatedDirectory: Sendable {
    typealias Inode = Int

    /// A change of names that no sync of the directory has made durable.
    struct Pending: Sendable {
        enum Operation: Sendable {
            case link(name: String, Inode)
            /// The names before `from` are those that the file had before pending renames.
            case rename(from: String, to: String, Inode, before: [String])
            case unlink(name: String, Inode)
        }

        let operation: Operation
        /// The pending rename that freed the name which this one takes: without it, this one would
        /// take a name away from a file that was only renamed.
        let requires: Int?
    }

    private(set) var entries: [String: Inode] = [:]
    private(set) var durable: [String: Inode] = [:]
    private(set) var pending: [Pending] = []

    init() {}

    /// A directory as it is after a power loss, or after damage.
    init(durable entries: [String: Inode]) {
        self.entries = entries
        durable = entries
    }

    mutating func link(_ name: String, _ inode: Inode) {
        append(.link(name: name, inode), taking: name)
    }

    mutating func rename(_ name: String, to newName: String, _ inode: Inode) {
        append(
            .rename(from: name, to: newName, inode, before: names(before: name, inode)),
            taking: newName
        )
    }

    mutating func unlink(_ name: String, _ inode: Inode) {
        append(.unlink(name: name, inode), taking: nil)
    }

    mutating func sync() {
        durable = entries
        pending = []
    }

    /// The entries after a power loss that kept some of the pending operations.
    func entries<Chooser: CrashChooser>(
        afterPowerLossUsing chooser: inout Chooser
    ) -> [String: Inode] {
        var result = durable
        var kept: [Bool] = []
        for change in pending {
            let isPossible = change.requires.map { kept[$0] } ?? true
            let isKept = isPossible && chooser.choose(from: 2) == 1
            kept.append(isKept)
            if isKept { change.operation.apply(to: &result) }
        }
        return result
    }

    /// The names that a file had before it got `name`, as far as the renames are pending.
    private func names(before name: String, _ inode: Inode) -> [String] {
        for change in pending.reversed() {
            if case .rename(let from, name, inode, let before) = change.operation {
                return before + [from]
            }
        }
        return []
    }

    /// Whether a name, present or possible after a crash, leads to the inode.
    func canReach(_ inode: Inode) -> Bool {
        for (_, entry) in entries where entry == inode { return true }
        for (_, entry) in durable where entry == inode { return true }
        for change in pending where change.operation.inode == inode { return true }
        return false
    }

    private mutating func append(_ operation: Pending.Operation, taking name: String?) {
        let requires = pending.lastIndex { change in
            if case .rename(let from, _, _, _) = change.operation { from == name } else { false }
        }
        operation.apply(to: &entries)
        pending.append(Pending(operation: operation, requires: requires))
    }
}

extension SimulatedDirectory.Pending.Operation {
    fileprivate var inode: Int {
        switch self {
        case .link(_, let inode), .rename(_, _, let inode, _), .unlink(_, let inode): inode
        }
    }

    /// What it does, and the name that it gives or takes away.
    var kindAndName: (kind: UInt64, name: String) {
        switch self {
        case .link(let name, _): (1, name)
        case .rename(let from, let to, _, _): (2, from + "/" + to)
        case .unlink(let name, _): (3, name)
        }
    }

    /// Applies it where an earlier operation may be missing.
    fileprivate func apply(to entries: inout [String: Int]) {
        switch self {
        case .link(let name, let inode):
            entries[name] = inode
        case .rename(let from, let to, let inode, let before):
            // Where an earlier rename is missing, the file still has a name from before it. Names
            // that it has beside this one, as hard links, stay.
            for name in before + [from] where entries[name] == inode { entries[name] = nil }
            entries[to] = inode
        case .unlink(let name, let inode):
            if entries[name] == inode { entries[name] = nil }
        }
    }
}
