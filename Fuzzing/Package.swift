// swift-tools-version: 6.2

import PackageDescription

// Apart from the package itself: what is built here is instrumented from top to bottom.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Holdfast", path: "..")],
    targets: [
        .target(
            name: "FuzzTargets",
            dependencies: [
                .product(name: "Holdfast", package: "Holdfast"),
                .product(name: "HoldfastStorage", package: "Holdfast"),
                .product(name: "HoldfastTesting", package: "Holdfast"),
            ]
        ),
        .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets"]),
    ],
    swiftLanguageModes: [.v6]
)
