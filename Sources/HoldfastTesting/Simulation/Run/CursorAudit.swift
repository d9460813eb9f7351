package import HoldfastSync

/// How far a replica has read each scope: it goes back only to read everything anew.
///
/// It reads the cursors of this project's server, whose positions stand behind a dash.
package struct CursorAudit: Sendable {
    private struct Position: Sendable {
        let binding: Substring
        let sequence: Int64
    }

    private var positions: [ScopeName: Position] = [:]

    package init() {}

    /// The scope may be read from an earlier position.
    package mutating func forget(_ scope: ScopeName) { positions[scope] = nil }

    /// Takes in where a store stands.
    ///
    /// - Returns: A scope that stands further back than before in the same history.
    package mutating func stepBack(to scopes: [ScopeName: ScopeState]) -> ScopeName? {
        let last = positions
        positions = scopes.compactMapValues { state in
            // A snapshot is a declared resync; what was revoked begins anew.
            let isRead = state.snapshot == nil && !state.isRevoked
            return isRead ? state.cursor.flatMap { Self.position($0) } : nil
        }
        return positions.keys.sorted { $0.text < $1.text }.first { scope in
            guard let old = last[scope], let new = positions[scope] else { return false }
            return old.binding == new.binding && new.sequence < old.sequence
        }
    }

    private static func position(_ cursor: SyncCursor) -> Position? {
        let parts = cursor.text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let sequence = Int64(parts[1]) else { return nil }
        return Position(binding: parts[0], sequence: sequence)
    }
}
