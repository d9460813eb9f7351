import Holdfast
import Testing

/// What stands in the program and cannot be right stops it.
@Suite struct ProgrammerErrorTests {
    @Test func aTableThatIsDeclaredTwiceStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 1) {
                Table("a")
                Table("a")
            }
        }
    }

    @Test func aVersionBelowOneStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = Schema(version: 0) {} }
    }

    @Test func anIndexThatIsDeclaredTwiceStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 1) {
                Table("a") {
                    Index("x", "y")
                    Index("x", "y")
                }
            }
        }
    }

    @Test func aFieldThatRefersToTwoTablesStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 1) {
                Table("a") {
                    Reference("x", to: "b")
                    Reference("x", to: "c")
                }
            }
        }
    }

    @Test func anIDFieldThatIsNoNameStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 1) { Table("a", idField: "") }
        }
    }

    @Test func anIDThatWouldBecomeNullStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 1) {
                Table("a") { Reference("id", to: "b", onDelete: .nullify) }
            }
        }
    }

    @Test func twoStepsOfOneNameStopTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 3) { Table("a") }
                .migrate("x", from: 1) { _ in }
                .migrate("x", from: 2) { _ in }
        }
    }

    @Test func aStepThatStartsFromTheNewestVersionStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 3) { Table("a") }.migrate("x", from: 3) { _ in }
        }
    }

    @Test func aStepThatStartsBelowZeroStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 3) { Table("a") }.migrate("x", from: -1) { _ in }
        }
    }

    @Test func aStepWithoutANameStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Schema(version: 3) { Table("a") }.migrate("", from: 1) { _ in }
        }
    }

    @Test func anIndexOfNoFieldStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = Index(unique: true) }
        await #expect(processExitsWith: .failure) { _ = Index(words: "") }
        await #expect(processExitsWith: .failure) { _ = Index("x", "x") }
    }

    @Test func aReferenceOfNoFieldStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = Reference("", to: "a") }
    }

    @Test func aTableNameThatIsNoneStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = Table("a\nb") }
    }

    @Test func anIDThatIsNoneStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            let id: RecordID = "a\tb"
            _ = id
        }
    }
}
