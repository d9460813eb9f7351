import HoldfastCommand
import Testing

/// Arrays that are broken in the middle: what is whole is taken, and the error names the place.
struct ArrayImportTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    private func importArray(_ text: [UInt8], _ arguments: String...) throws -> Hold.Outcome {
        let command = ["import", hold.store, "t", "-", "--format", "json", "--ack"]
        return try hold.run(command + arguments, input: text)
    }

    @Test(arguments: [
        (#"[{"id":"a"} {"id":"b"}]"#, "a\n", "element 2 of the array: expected ','", "at byte 12"),
        (#"[{"id":"a"},{"id":"b"}"#, "a\nb\n", "element 3 of the array: the text ends", "byte 22"),
        (#"[{"id":"a"}}"#, "a\n", "element 2 of the array: expected ','", "at byte 11"),
        (#"[{"id":"a"},{"id":"#, "a\n", "element 2 of the array: the text ends", "at byte 18"),
        (#"[{"id":"a"},{"id":1,}]"#, "a\n", "element 2 of the array: expected a field", "byte 20"),
    ])
    func everyCompleteElementIsCommitted(
        _ text: String,
        _ acknowledged: String,
        _ message: String,
        _ place: String
    ) throws {
        for skip in [[], ["--skip-bad"]] {
            let arguments = ["import", hold.path("s\(skip.count)"), "t", "-", "--format", "json"]
            let outcome = try hold.run(arguments + ["--ack"] + skip, input: Array(text.utf8))
            #expect(outcome.ending == .exited(1))
            #expect(outcome.output == acknowledged)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.errors.contains(place), "\(outcome.errors)")
        }
    }

    private static let badContents: [[UInt8]] = [
        Array(#"{"a":1,"a":2}"#.utf8),
        Array(#"{"a":"\ud800"}"#.utf8),
        Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8),
        Array(#"{"a":99999999999999999999}"#.utf8),
        Array(#"{"a":1e999}"#.utf8),
        Array("{\"a\":\"\t\",\"b\":[{},[],null,-1.5e+3,\"\\\\\"]}".utf8),
        Array(#"{"id":null}"#.utf8),
        Array("[1]".utf8),
        Array(String(repeating: "[", count: 600).utf8)
            + Array(String(repeating: "]", count: 600).utf8),
    ]

    @Test(arguments: badContents)
    func anElementWhoseEndIsKnownCanBeSkipped(_ element: [UInt8]) throws {
        let text = Array(#"[{"id":1},"#.utf8) + element + Array(#",{"id":3}]"#.utf8)
        let stopped = try importArray(text)
        #expect(stopped.ending == .exited(1))
        #expect(stopped.output == "1\n")
        let skipped = try importArray(text, "--skip-bad")
        #expect(skipped.ending == .exited(0), "\(skipped.errors)")
        #expect(skipped.output == "1\n3\n")
        #expect(skipped.errors.contains("skipped element 2 of the array: "))
        #expect(skipped.errors.hasSuffix("imported 2, replaced 1, skipped 1\n"))
    }

    private static let brokenElements = [
        #"{"a":01}"#, #"{'a':1}"#, #"{"a":NaN}"#, "{\"a\":\"x},\n{\"a\":\"y}",
        // The end is not where the brackets say: the record with the id 2 must not be passed over.
        #"{"a":1,"a":"x},{"id":2},{"b":"}"#, #"{"a":1,"a":2,}"#, #"{"a":1,"a" 2}"#,
        #"{"a":1,"a":[2}}"#, #"{"a":1,"a":2 3}"#, #"{"a":1e999,:1}"#,
    ]

    @Test(arguments: brokenElements)
    func brokenSyntaxEndsTheImportThoughBadElementsAreSkipped(_ element: String) throws {
        let outcome = try importArray(
            Array((#"[{"id":1},"# + element + #",{"id":3}]"#).utf8),
            "--skip-bad"
        )
        #expect(outcome.ending == .exited(1))
        #expect(outcome.output == "1\n")
        #expect(outcome.errors.contains("hold: error: element 2 of the array: "))
    }
}
