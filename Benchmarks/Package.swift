// swift-tools-version: 6.2

import Foundation
import PackageDescription

// Apart from the package itself, which has no dependency: what is compared needs the libraries that
// `Benchmarks/setup` installs. One that is absent is left out, and the program says so.

struct Peer {
    let module: String
    let header: String
    let condition: String

    var isPresent: Bool {
        ["/usr/include", "/usr/local/include", "/opt/homebrew/include"]
            .contains { FileManager.default.fileExists(atPath: "\($0)/\(header)") }
    }
}

let peers = [
    Peer(module: "CSQLite", header: "sqlite3.h", condition: "HAS_SQLITE"),
    Peer(module: "CLMDB", header: "lmdb.h", condition: "HAS_LMDB"),
    Peer(module: "CRocksDB", header: "rocksdb/c.h", condition: "HAS_ROCKSDB"),
    Peer(module: "CLevelDB", header: "leveldb/c.h", condition: "HAS_LEVELDB"),
].filter(\.isPresent)

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Holdfast", path: "..")],
    targets: peers.map { .systemLibrary(name: $0.module) } + [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "Holdfast", package: "Holdfast"),
                .product(name: "HoldfastStorage", package: "Holdfast"),
                .product(name: "HoldfastSync", package: "Holdfast"),
                .product(name: "HoldfastServer", package: "Holdfast"),
                .product(name: "HoldfastTesting", package: "Holdfast"),
            ] + peers.map { .byName(name: $0.module) },
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("ImmutableWeakCaptures"),
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
            ] + peers.map { .define($0.condition) }
        )
    ],
    swiftLanguageModes: [.v6]
)
