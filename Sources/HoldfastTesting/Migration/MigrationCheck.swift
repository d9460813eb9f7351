public import Holdfast

/// Checks that every store that an older version of an app left is opened by the newest one, with
/// every record accounted for.
///
/// ```swift
/// @Test func everyStoreOfAnOldVersionIsMigrated() async throws {
///     try await MigrationCheck(schemas: [first, second, third])
///         .fixture(version: 1) { store in
///             try await store.write { transaction in
///                 _ = try transaction.put(["id": "a", "name": "Ada Lovelace"], in: "people")
///             }
///         }
///         .fixture(version: 2, lines: exportedByVersion2, in: "people")
///         .expecting(.moved("people", to: "persons"), .removed("drafts"))
///         .expecting(.changed("name", in: "people"))
///         .checking { store in
///             _ = try store.read { try $0.fetch(Person.query) }
///         }
///         .run()
/// }
/// ```
///
/// Keep the schema of each version that was released: its tables, its indexes and its steps up to
/// then. From each fixture the check goes to the newest schema directly and through every choice of
/// the versions between (where there are more than six of them: through each, each two and all of
/// them), and demands that
///
/// - all ways end with the same records and the same declarations,
/// - every record of the fixture is in its table under its id, or an expectation says where it
///   went,
/// - every field of it has the value that it had, there or under a new name, or an expectation says
///   that it changes; fields that are new need no word,
/// - the migrated store opens again, and that changes nothing,
/// - after a crash at any moment of the migration, a killed process or a loss of power, the store
///   is at the boundary of a step, and opening it finishes with the same result.
///
/// Steps that mint ids or read the clock give another result each time, here and on a user's two
/// devices: let them derive what they write from the records.
///
/// Everything happens on simulated disks, in memory.
public struct MigrationCheck: Sendable {
    typealias Check = @Sendable (Store) throws -> Void

    let schemas: [Schema]
    private var fixtures: [MigrationFixture] = []
    private(set) var expectations: [MigrationExpectation] = []
    private(set) var checks: [Check] = []
    let crashLimit: Int

    /// The check of a history of schemas.
    ///
    /// - Parameters:
    ///   - schemas: Every schema that was released, and the newest.
    ///   - crashLimit: The greatest number of crashes to try from each fixture, evenly over the
    ///     migration; 0 for none.
    public init(schemas: [Schema], crashLimit: Int = 200) {
        self.schemas = schemas.sorted { $0.version < $1.version }
        self.crashLimit = crashLimit
    }

    /// Adds a store that is opened with the schema of a version and filled.
    ///
    /// Version 0 is a store without a schema.
    public func fixture(
        version: Int,
        _ fill: @escaping @Sendable (Store) async throws -> Void
    ) -> MigrationCheck {
        adding(MigrationFixture(version: version, content: .filled(fill)))
    }

    /// Adds a store that is opened with the schema of a version and filled with JSON Lines, such as
    /// `hold export` prints.
    public func fixture(version: Int, lines: String, in table: TableName) -> MigrationCheck {
        adding(MigrationFixture(version: version, content: .lines(lines, table)))
    }

    /// Adds a store that the app of a version wrote: a copy of the files of its directory, as they
    /// are.
    ///
    /// The check finds a violation where the store's data is not of that version. The directory
    /// itself is only read.
    public func fixture(version: Int, directory: String) -> MigrationCheck {
        adding(MigrationFixture(version: version, content: .directory(directory)))
    }

    /// Says of records that they are elsewhere or gone afterwards, and of fields that they change.
    public func expecting(_ expectations: MigrationExpectation...) -> MigrationCheck {
        var check = self
        check.expectations += expectations
        return check
    }

    /// Adds a check of the migrated store, such as that all records of a type are read.
    ///
    /// - Parameter check: Throws what is wrong; it is run once on every way.
    /// - Returns: The check with it.
    public func checking(_ check: @escaping @Sendable (Store) throws -> Void) -> MigrationCheck {
        var copy = self
        copy.checks.append(check)
        return copy
    }

    private func adding(_ fixture: MigrationFixture) -> MigrationCheck {
        var check = self
        check.fixtures.append(fixture)
        return check
    }

    /// Runs the check.
    ///
    /// - Returns: What was tried.
    /// - Throws: ``MigrationViolation`` for the first promise that does not hold, or what filling a
    ///   fixture throws.
    @discardableResult
    public func run() async throws -> MigrationReport {
        if let problem { throw problem }
        var report = MigrationReport()
        for fixture in fixtures {
            let schema = schemas.first { $0.version == fixture.version }
            let image = try await fixture.image(schema)
            try await MigrationTrial(self, fixture, image).run(&report)
        }
        return report
    }

    private var problem: MigrationViolation? {
        if schemas.isEmpty { return MigrationViolation("There is no schema to migrate to.") }
        if fixtures.isEmpty { return MigrationViolation("There is no fixture to migrate.") }
        let versions = schemas.map(\.version)
        if Set(versions).count < versions.count {
            return MigrationViolation("Two schemas have the same version.")
        }
        let unknown = fixtures.first { $0.version != 0 && !versions.contains($0.version) }
        return unknown.map {
            MigrationViolation("There is a fixture of version \($0.version), and no such schema.")
        }
    }
}
