/// Which records an observation has yet to look at again.
package enum ChangedKeys: Sendable {
    /// So many keys are looked at one by one; beyond that the query runs again.
    package static let limit = 1_024

    case some(Set<[UInt8]>)
    case all

    package static let none = ChangedKeys.some([])

    var isEmpty: Bool {
        if case .some(let keys) = self { keys.isEmpty } else { false }
    }

    mutating func insert(_ key: [UInt8]) {
        guard case .some(var keys) = self else { return }
        // The set has one holder while it grows.
        self = .all
        keys.insert(key)
        if keys.count <= Self.limit { self = .some(keys) }
    }
}
