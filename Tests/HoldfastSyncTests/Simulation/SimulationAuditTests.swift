import Holdfast
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// A rule that is looked at is seen when it is broken.
struct SimulationAuditTests {
    private let a = ScopeName("a")
    private let b = ScopeName("b")

    private func state(_ cursor: String?, isRevoked: Bool = false) -> ScopeState {
        var state = ScopeState()
        state.cursor = cursor.map { SyncCursor($0) }
        state.isRevoked = isRevoked
        return state
    }

    @Test func aCursorThatGoesBackIsSeen() {
        var audit = CursorAudit()
        #expect(audit.stepBack(to: [a: state("f-3"), b: state("e-9")]) == nil)
        #expect(audit.stepBack(to: [a: state("f-3"), b: state("e-10")]) == nil)
        #expect(audit.stepBack(to: [a: state("f-2"), b: state("e-11")]) == a)
    }

    @Test func aCursorMayGoBackInAnotherHistoryAndAfterADeclaredResync() {
        var audit = CursorAudit()
        #expect(audit.stepBack(to: [a: state("f-9")]) == nil)
        #expect(audit.stepBack(to: [a: state("e-1")]) == nil)
        var snapshot = state(nil)
        snapshot.snapshot = ScopeState.Snapshot(generation: 1)
        #expect(audit.stepBack(to: [a: snapshot]) == nil)
        #expect(audit.stepBack(to: [a: state("e-0")]) == nil)
        #expect(audit.stepBack(to: [a: state("e-5")]) == nil)
        #expect(audit.stepBack(to: [a: state("e-5", isRevoked: true)]) == nil)
        #expect(audit.stepBack(to: [a: state("e-1")]) == nil)
        audit.forget(a)
        #expect(audit.stepBack(to: [a: state("e-0")]) == nil)
        #expect(audit.stepBack(to: [:]) == nil)
        #expect(audit.stepBack(to: [a: state(nil)]) == nil)
    }

    @Test func aWatcherThatMissesACommitIsSeen() async throws {
        let table = Table("notes")
        let store = try await Store(
            storage: MemoryStorage(),
            schema: Schema(version: 1) { table }
        )
        let watcher = try SimulatedWatcher(of: table, in: store)
        for number in 0..<20 {
            try await store.write {
                try $0.put(["id": .string("n\(number)"), "x": 0], in: "notes")
                if number > 2 { try $0.delete(RecordID("n\(number - 2)"), in: "notes") }
            }
            #expect(try store.read { try !watcher.isCurrent(in: $0) })
            try watcher.catchUp(store)
            #expect(try store.read { try watcher.isCurrent(in: $0) })
        }
    }
}
