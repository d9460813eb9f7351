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
        try account(for: before, in: result)
        report.records += before.records.count
        for between in Self.choices(of: check.schemas.filter(isBetween)) {
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

    /// Every choice of schemas, none first; of more than six only few or all of them.
    private static func choices(of schemas: [Schema]) -> [[Schema]] {
        let isLarge = schemas.count > 6
        return (0..<1 << min(schemas.count, 16)).compactMap { bits in
            let chosen = schemas.indices.filter { bits >> $0 & 1 == 1 }
            if isLarge, chosen.count > 2, chosen.count < schemas.count { return nil }
            return chosen.map { schemas[$0] }
        }
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

extension MigrationTrial {
    /// Looks for every record of the fixture in the migrated store.
    private func account(
        for before: MigrationState,
        in result: MigrationState
    ) throws(MigrationViolation) {
        for key in before.records.keys.sorted() {
            let place = place(of: key)
            if let place, result.records[place] != nil { continue }
            if place == nil, result.records[key] == nil { continue }
            let finding =
                place == nil
                ? "The record is said to be removed, and is there."
                : "The record is gone, and no expectation says so."
            var violation = MigrationViolation(finding, table: key.table, id: key.id)
            violation.path = path([])
            throw violation
        }
    }

    /// Where a record is expected to be; `nil` when it is expected to be gone.
    private func place(of key: MigrationState.Key) -> MigrationState.Key? {
        let all = check.expectations.filter { $0.origin.table == key.table }
        let expectation =
            all.first { $0.origin.id == key.id } ?? all.first { $0.origin.id == nil }
        guard let expectation else { return key }
        return expectation.destination.map { destination in
            MigrationState.Key(table: destination.table, id: destination.id ?? key.id)
        }
    }
}
