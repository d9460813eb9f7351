import Holdfast

extension Mutation.Change {
    /// What of it remains behind mutations that are on their way: what they write is newer.
    func leaving(_ sent: [Mutation]) -> Self? {
        guard case .patch(var set, var unset) = self else {
            let isOver = sent.contains { mutation in
                switch mutation.change {
                case .put, .delete: true
                case .patch: self == .delete
                case .delta, .action: false
                }
            }
            return isOver ? nil : self
        }
        for mutation in sent {
            switch mutation.change {
            case .put, .delete: return nil
            case .patch(let fields, let removed):
                for name in fields.map(\.name) + removed {
                    set.removeValue(named: name)
                    unset.remove(name)
                }
            case .delta(let steps):
                for name in steps.map(\.name) { set.removeValue(named: name) }
            case .action: break
            }
        }
        return set.isEmpty && unset.isEmpty ? nil : .patch(set: set, unset: unset)
    }
}
