// swift-tools-version: 6.0
import PackageDescription

// Each room of the house is a module, so that the compiler itself refuses an import that goes up.
let package = Package(
    name: "Azx",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .library(name: "Azx", targets: ["AzxEngine", "AzxBundle"])
    ],
    targets: [
        .target(name: "AzxEngine", path: "Sources/Engine"),
        .target(name: "AzxBundle", dependencies: ["AzxEngine"], path: "Sources/Bundle"),
        .target(name: "Support", dependencies: ["AzxEngine", "AzxBundle"], path: "Tests/Support"),
        .testTarget(name: "EngineTests", dependencies: ["AzxEngine", "Support"], path: "Tests/Engine"),
        .testTarget(name: "BundleTests", dependencies: ["AzxEngine", "AzxBundle", "Support"], path: "Tests/Bundle"),
    ]
)
