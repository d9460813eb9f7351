// swift-tools-version: 6.2

import PackageDescription

// A package of its own, as an app is: it depends on Holdfast and builds what it needs of it.
let package = Package(
    name: "Notes",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Holdfast", path: "../..")],
    targets: [
        .executableTarget(
            name: "Notes",
            dependencies: [
                .product(name: "Holdfast", package: "Holdfast"),
                .product(name: "HoldfastHTTP", package: "Holdfast"),
                .product(name: "HoldfastSync", package: "Holdfast"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
