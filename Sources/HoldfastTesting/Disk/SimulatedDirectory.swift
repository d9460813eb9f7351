/// A directory of a simulated disk: its entries as programs see them and as the medium has them.
struct SimulatedDirectory: Sendable {
    typealias Inode = Int

    /// A change of names that no sync of the directory has made durable.
    struct Pending: Sendable {
        enum Operation: Sendable {
            /// A new file's name, or one more of a file that has others.
            case link(name: String, Inode, isSecond: Bool)
            case rename(from: String, to: String, Inode)
            case unlink(name: String, Inode)
        }

        let operation: Operation
        /// What has to be kept for this one to be kept.
        ///
        /// The pending rename that freed the name which this one takes: without it, this one would
        /// take a name away from a file that was only renamed. And for a rename of a file's second
        /// name the link that gave it: without it, this one would take the first name away.
        let requires: [Int]
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

    mutating func link(_ name: String, _ inode: Inode, isSecond: Bool = false) {
        append(.link(name: name, inode, isSecond: isSecond), taking: name)
    }

    mutating func rename(_ name: String, to newName: String, _ inode: Inode) {
        append(.rename(from: name, to: newName, inode), taking: newName)
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
            let isPossible = change.requires.allSatisfy { kept[$0] }
            let isKept = isPossible && chooser.choose(from: 2) == 1
            kept.append(isKept)
            if isKept { change.operation.apply(to: &result) }
        }
        return result
    }

    /// Whether a name, present or possible after a crash, leads to the inode.
    func canReach(_ inode: Inode) -> Bool {
        for (_, entry) in entries where entry == inode { return true }
        for (_, entry) in durable where entry == inode { return true }
        for change in pending where change.operation.inode == inode { return true }
        return false
    }

    private mutating func append(_ operation: Pending.Operation, taking name: String?) {
        let freeing = pending.lastIndex { change in
            if case .rename(let from, _, _) = change.operation { from == name } else { false }
        }
        let naming = pending.lastIndex { $0.operation.gaveSecondName(to: operation) }
        operation.apply(to: &entries)
        let requires = [freeing, naming].compactMap { $0 }
        pending.append(Pending(operation: operation, requires: requires))
    }
}

extension SimulatedDirectory.Pending.Operation {
    fileprivate var inode: Int {
        switch self {
        case .link(_, let inode, _), .rename(_, _, let inode), .unlink(_, let inode): inode
        }
    }

    /// What it does, and the name that it gives or takes away.
    var kindAndName: (kind: UInt64, name: String) {
        switch self {
        case .link(let name, _, let isSecond): (isSecond ? 4 : 1, name)
        case .rename(let from, let to, _): (2, from + "/" + to)
        case .unlink(let name, _): (3, name)
        }
    }

    /// Whether this gave a file the second name that `rename` moves.
    fileprivate func gaveSecondName(to rename: Self) -> Bool {
        guard case .link(let name, let inode, isSecond: true) = self,
            case .rename(let from, _, let renamed) = rename
        else { return false }
        return name == from && inode == renamed
    }

    /// Applies it where an earlier operation may be missing.
    fileprivate func apply(to entries: inout [String: Int]) {
        switch self {
        case .link(let name, let inode, _):
            entries[name] = inode
        case .rename(let from, let to, let inode):
            // Where an earlier rename is missing, the file still has a name from before it.
            if entries[from] == inode {
                entries[from] = nil
            } else {
                entries = entries.filter { $0.value != inode }
            }
            entries[to] = inode
        case .unlink(let name, let inode):
            if entries[name] == inode { entries[name] = nil }
        }
    }
}
