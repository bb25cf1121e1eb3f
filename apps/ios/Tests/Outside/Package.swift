// swift-tools-version: 6.0
import PackageDescription

// An app of somebody else's, as far as Linux goes: tools/outside.sh lays azx beside it as a clone has it.
let package = Package(
    name: "Outside",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(path: "../azx")],
    targets: [.executableTarget(name: "Outside", dependencies: [.product(name: "AzxKit", package: "azx")], path: "Sources")]
)
