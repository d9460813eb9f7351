import Foundation

/// The bytes of all files below a directory.
func directorySize(_ path: String) throws -> Int {
    var total = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        let facts = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
        total += (facts[.size] as? NSNumber)?.intValue ?? 0
    }
    return total
}
