// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Holdfast",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Holdfast", targets: ["Holdfast"]),
        .library(name: "HoldfastStorage", targets: ["HoldfastStorage"]),
        .library(name: "HoldfastSync", targets: ["HoldfastSync"]),
        .library(name: "HoldfastHTTP", targets: ["HoldfastHTTP"]),
        .library(name: "HoldfastServer", targets: ["HoldfastServer"]),
        .library(name: "HoldfastTesting", targets: ["HoldfastTesting"]),
        .executable(name: "hold", targets: ["HoldfastCommand"]),
    ],
    targets: [
        .target(name: "HoldfastStorage"),
        .target(name: "Holdfast", dependencies: ["HoldfastStorage"]),
        .target(name: "HoldfastSync", dependencies: ["Holdfast", "HoldfastStorage"]),
        .target(
            name: "HoldfastNetwork",
            dependencies: ["Holdfast", "HoldfastStorage", "HoldfastSync"]
        ),
        .target(
            name: "HoldfastHTTP",
            dependencies: ["Holdfast", "HoldfastNetwork", "HoldfastStorage", "HoldfastSync"]
        ),
        .target(
            name: "HoldfastServer",
            dependencies: ["Holdfast", "HoldfastNetwork", "HoldfastStorage", "HoldfastSync"]
        ),
        .target(
            name: "HoldfastTesting",
            dependencies: [
                "Holdfast", "HoldfastNetwork", "HoldfastStorage", "HoldfastSync", "HoldfastServer",
            ]
        ),
        .executableTarget(
            name: "HoldfastCommand",
            dependencies: [
                "Holdfast", "HoldfastNetwork", "HoldfastStorage", "HoldfastSync", "HoldfastServer",
                "HoldfastTesting",
            ]
        ),
        .testTarget(
            name: "HoldfastStorageTests",
            dependencies: ["HoldfastStorage", "HoldfastTesting"]
        ),
        .target(
            name: "FuzzTargets",
            dependencies: ["Holdfast", "HoldfastStorage", "HoldfastTesting"],
            path: "Fuzzing/Sources/FuzzTargets"
        ),
        .testTarget(
            name: "HoldfastTests",
            dependencies: ["Holdfast", "HoldfastTesting", "FuzzTargets"]
        ),
        .testTarget(
            name: "HoldfastSyncTests",
            dependencies: ["Holdfast", "HoldfastSync", "HoldfastServer", "HoldfastTesting"]
        ),
        .testTarget(
            name: "HoldfastNetworkTests",
            dependencies: ["Holdfast", "HoldfastNetwork", "HoldfastSync", "HoldfastTesting"]
        ),
        .testTarget(
            name: "HoldfastHTTPTests",
            dependencies: [
                "Holdfast", "HoldfastHTTP", "HoldfastNetwork", "HoldfastSync", "HoldfastServer",
                "HoldfastTesting",
            ]
        ),
        .testTarget(
            name: "HoldfastServerTests",
            dependencies: [
                "Holdfast", "HoldfastNetwork", "HoldfastSync", "HoldfastServer", "HoldfastTesting",
            ]
        ),
        .testTarget(
            name: "HoldfastCommandTests",
            dependencies: [
                "Holdfast", "HoldfastCommand", "HoldfastNetwork", "HoldfastSync", "HoldfastTesting",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}
