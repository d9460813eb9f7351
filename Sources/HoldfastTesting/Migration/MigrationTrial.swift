import Holdfast
import HoldfastStorage

/// The migrations of one fixture, on every way.
struct MigrationTrial {
    let check: MigrationCheck
    let fixture: MigrationFixture
    let image: DiskImage

    init(_ check: MigrationCheck, _ fixture: MigrationFixture, _ image: DiskImage) {
        self.check = check
        self.fixture = fixture
        self.image = image
    }

    var newest: Schema { check.schemas[check.schemas.count - 1] }

    /// - Throws: ``MigrationViolation``.
    func run(_ report: inout MigrationReport) async throws {
        let before = try await MigrationStore.with(image.afterKill(), nil, .read) { store in
            try MigrationState(of: store)
        }
        let result = try await migrate([])
        let account = MigrationAccount(
            before: before,
            after: result,
            expectations: check.expectations
        )
        if var violation = account.violation {
            violation.path = path([])
            throw violation
        }
        report.records += before.records.count
        for between in MigrationWays.choices(of: check.schemas.filter(isBetween)) {
            report.paths += 1
            let other = between.isEmpty ? result : try await migrate(between)
            if var violation = result.difference(to: other, "Another way leads to another result") {
                violation.path = path(between)
                throw violation
            }
        }
        report.crashes += try await MigrationCrashes(self, from: before, to: result).run()
    }

    private func isBetween(_ schema: Schema) -> Bool {
        schema.version > fixture.version && schema.version < newest.version
    }

    func path(_ between: [Schema]) -> [Int] {
        [fixture.version] + (between + [newest]).map(\.version)
    }

    /// Opens the fixture with one schema after the other, the newest twice.
    private func migrate(_ between: [Schema]) async throws -> MigrationState {
        do {
            let disk = image.afterKill()
            for schema in between { try await MigrationStore.with(disk, schema) { _ in } }
            let (state, number) = try await MigrationStore.with(disk, newest) { store in
                for check in check.checks { try check(store) }
                return (try MigrationState(of: store), try store.sequenceNumber)
            }
            let again = try await MigrationStore.with(disk, newest) { store in
                (try MigrationState(of: store), try store.sequenceNumber)
            }
            let what = "Opening the migrated store again changes it"
            if let violation = state.difference(to: again.0, what) { throw violation }
            guard again.1 == number else { throw MigrationViolation("\(what).") }
            return state
        } catch var violation as MigrationViolation {
            violation.path = path(between)
            throw violation
        } catch {
            var violation = MigrationViolation("The migration fails: \(error)")
            violation.path = path(between)
            throw violation
        }
    }
}
