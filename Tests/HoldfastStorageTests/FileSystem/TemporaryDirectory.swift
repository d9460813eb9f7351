#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A real directory that goes, with all in it, when the last reference does.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = "/tmp/holdfast-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a name in it.
    func callAsFunction(_ name: String) -> String { path + "/" + name }
}
