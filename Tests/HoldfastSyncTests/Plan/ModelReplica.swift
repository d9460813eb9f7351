import Holdfast
import HoldfastSync

/// One record on a replica: its three sides, and nothing else.
struct ModelReplica {
    let name: String
    let rules: SyncRules
    private(set) var base = ServerState.absent
    private(set) var mutations: [Mutation] = []
    private(set) var remote: ServerState?
    private(set) var copies: [RecordID] = []
    private var minted = 0

    init(name: String, rules: SyncRules) {
        self.name = name
        self.rules = rules
    }

    var local: JSONObject? { mutations.applied(to: base.object) }

    /// Writes the record as an app does: through the differences to what is there.
    mutating func write(_ new: JSONObject?) {
        for change in Mutation.Change.differences(from: local, to: new, rules: rules) {
            queue(change)
        }
    }

    mutating func queue(_ change: Mutation.Change, ledger: [LedgerEntry] = []) {
        minted += 1
        var mutation = Mutation(
            position: Mutation.Position(transaction: UInt64(minted), place: 0),
            key: MutationKey("\(name)\(minted)"),
            record: .note,
            change: change
        )
        mutation.ledger = ledger
        guard let last = mutations.last else { return mutations.append(mutation) }
        let wasThere = mutations.dropLast().applied(to: base.object) != nil
        switch Mutation.coalesce(last, with: mutation, wasThere: wasThere) {
        case .both: mutations.append(mutation)
        case .one(let one): mutations[mutations.count - 1] = one
        case .nothing: mutations.removeLast()
        }
    }

    /// Sends the first mutation; the answer may get lost.
    mutating func push(to server: inout ModelServer, losingAnswer isLost: Bool = false) {
        guard var first = mutations.first else { return }
        first.state = .sent(client: ClientID(name), sequence: 1, text: [])
        mutations[0] = first
        let answer = server.push(first, on: base.version, rules)
        if isLost { return }
        switch answer {
        case .done: acknowledge(server.state)
        case .conflict:
            minted += 1
            mutations[0] = first.thawed(as: MutationKey("\(name)\(minted)"))
            mutations[0].conflicts += 1
            take(server.state)
        }
    }

    /// Takes the server's newest state, and learns what it contains.
    mutating func pull(from server: ModelServer) {
        if let first = mutations.first, server.contains(first.key) {
            acknowledge(server.state)
        } else {
            take(server.state)
        }
    }

    private mutating func acknowledge(_ state: ServerState) {
        base = base.with(mutations.removeFirst())
        take(state)
    }

    private mutating func take(_ state: ServerState) {
        if remote.map({ $0.version < state.version }) ?? true { remote = state }
        switch plan(.note, base: base, mutations: mutations, remote: remote, rules: rules) {
        case .idle, .send, .wait: return
        case .accept(let state): base = state
        case .ask:
            follow(
                resolve(
                    .note,
                    base: base,
                    mutations: mutations,
                    remote: remote ?? base,
                    rules: rules,
                    choosing: .local
                )
            )
        case .rebase(let rebase): follow(rebase)
        }
        remote = nil
    }

    private mutating func follow(_ rebase: Rebase) {
        base = rebase.base
        mutations = rebase.mutations
        copies += rebase.copies.map(\.id)
        if !rebase.unclaimed.isEmpty {
            queue(.patch(set: [:], unset: []), ledger: rebase.unclaimed)
        }
    }
}
