/// Which versions between two a store may have been opened with.
package enum MigrationWays {
    /// How many versions lie between at most where every choice is tried.
    private static let limit = 6

    /// Every choice of the versions between; of more than six none, each, each two and all of them.
    package static func choices<Version>(of versions: [Version]) -> [[Version]] {
        if versions.count > limit {
            return [[]] + versions.map { [$0] } + pairs(of: versions) + [versions]
        }
        return (0..<1 << versions.count).map { bits in
            versions.indices.filter { bits >> $0 & 1 == 1 }.map { versions[$0] }
        }
    }

    private static func pairs<Version>(of versions: [Version]) -> [[Version]] {
        versions.indices.flatMap { first in
            versions[(first + 1)...].map { [versions[first], $0] }
        }
    }
}
