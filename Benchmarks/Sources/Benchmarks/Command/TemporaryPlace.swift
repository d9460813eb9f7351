import Foundation

/// A directory for the stores, which is removed at the end.
struct TemporaryPlace {
    let path: String

    init(in directory: String?) throws {
        let parent = directory ?? FileManager.default.temporaryDirectory.path
        path = "\(parent)/stores-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// Removes it with all that is in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
