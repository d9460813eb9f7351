import Foundation
import Holdfast
import HoldfastStorage
import Testing

/// FORMAT.md is enough: its example is what the code writes, and a reader made from it reads stores.
@Suite struct FormatDocumentTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func theWorkedExampleIsWhatTheCodeWrites() async throws {
        let page = try String(contentsOf: Self.root.appending(path: "FORMAT.md"), encoding: .utf8)
        let example = try await WorkedExample.text()
        #expect(page.contains(example), "FORMAT.md should show:\n\(example)")
    }

    private static let python = "/usr/bin/env"

    @Test func aReaderInAnotherLanguageReadsEveryRecord() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "holdfast-reader-\(UUID().uuidString)"
        )
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try await Store.open(at: directory.path)
        let objects: [JSONObject] = [
            [
                "id": "a", "text": "Straße \u{1F35E} \"\\\n",
                "long": .string(String(repeating: "é", count: 300)),
            ],
            ["id": "0190a5c4-7e2f-7d3a-8b1c-0242ac120002", "at": "2026-11-30T12:00:00.123Z"],
            ["id": 7, "integers": [0, 63, 64, -1, 300, -40_000, 5_000_000_000], "double": -0.0],
            ["id": "nested", "object": ["a": [["b": .null], true, false], "c": 1.5]],
        ]
        for object in objects {
            try await store.write { transaction in
                try transaction.put(object, in: "things")
            }
        }
        try await store.write { transaction in
            try transaction.put(["id": "gone"], in: "things")
        }
        try await store.write { transaction in
            try transaction.delete(RecordID("gone"), in: "things")
        }
        try await store.close()
        try await Self.compact(directory.path)
        let lines = try Self.read(directory.path)
        let records = try lines.map { line in
            try #require(JSONObject(parsing: line)["record"])
        }
        #expect(records.count == objects.count)
        for object in objects { #expect(records.contains(.object(object))) }
    }

    /// Makes the store one with moves and retired segments.
    private static func compact(_ path: String) async throws {
        var configuration = JournalConfiguration()
        configuration.firstSegmentBytes = 12_288
        configuration.largestSegmentBytes = 12_288
        let storage = try await JournalStorage.open(at: path, configuration: configuration)
        for _ in 1...40 {
            let value = [UInt8](repeating: 1, count: 30_000)
            try await storage.write(.buffered) { try $0.put(value, for: [0, 1]) }
        }
        try await storage.write(.synced) { _ = try $0.delete([0, 1]) }
        try await storage.compact()
        #expect(storage.segmentNumbers.present.first ?? 1 > 1)
        try await storage.close()
    }

    private static func read(_ path: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [
            "python3", root.appending(path: "Tests/reader/holdfast_reader.py").path, path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
