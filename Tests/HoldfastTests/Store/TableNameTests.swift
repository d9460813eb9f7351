import Holdfast
import Testing

@Suite struct TableNameTests {
    @Test(arguments: ["", "a\u{0}b", "a\tb", String(repeating: "n", count: 256)])
    func badNamesAreRefused(text: String) {
        let error = #expect(throws: StoreError.self) { try TableName(text) }
        #expect(error?.code == .invalidTableName)
    }

    @Test(arguments: ["a", "my notes", "Заметки", String(repeating: "n", count: 255)])
    func allOtherTextIsAName(text: String) throws {
        #expect(try TableName(text).text == text)
    }

    @Test(arguments: [[], [""], ["a", "a"], ["a\u{0}"], (0..<17).map { "f\($0)" }])
    func badIndexesAreRefused(fields: [String]) {
        let error = #expect(throws: StoreError.self) { try Index(fields: fields) }
        #expect(error?.code == .invalidIndex)
    }

    @Test func aLiteralThatIsNoNameStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = TableName(stringLiteral: "") }
    }
}
