// swift-tools-version: 6.0
import Foundation
import PackageDescription

// Each room of the house is a module, so that the compiler itself refuses an import that goes up.
let package = Package(
    name: "Azx",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .library(
            name: "Azx",
            targets: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxCoreML", "AzxPlay", "AzxDrawing", "AzxScreens"])
    ],
    targets: [
        .target(name: "AzxEngine", path: "Sources/Engine", resources: [.process("Resources")]),
        // zlib, and OpenSSL in CryptoKit's place; Apple's systems have modules of their own.
        .systemLibrary(name: "CSystem", path: "Sources/CSystem", providers: [.apt(["zlib1g-dev", "libssl-dev"])]),
        .target(
            name: "AzxBundle",
            dependencies: ["AzxEngine", .target(name: "CSystem", condition: .when(platforms: [.linux]))],
            path: "Sources/Bundle", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "AzxNetwork", dependencies: ["AzxEngine", "AzxBundle"], path: "Sources/Network"),
        .target(name: "AzxCoreML", dependencies: ["AzxBundle", "AzxNetwork"], path: "Sources/CoreML"),
        .target(name: "AzxPlay", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork"], path: "Sources/Play"),
        .target(name: "AzxDrawing", dependencies: ["AzxEngine"], path: "Sources/Drawing"),
        .target(
            name: "AzxScreens", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "AzxDrawing"],
            path: "Sources/Screens"),
        .target(
            name: "AzxSelfTest", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay"],
            path: "Sources/SelfTest", resources: [.process("Resources")]),
        .executableTarget(
            name: "azx-selftest", dependencies: ["AzxNetwork", "AzxCoreML", "AzxSelfTest"],
            path: "Sources/SelfTestCommand"),
        .executableTarget(name: "azx-speed", dependencies: ["AzxEngine", "Support"], path: "Tests/Speed"),
        .target(
            name: "Support",
            dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "AzxDrawing", "AzxScreens"],
            path: "Tests/Support"),
        .testTarget(name: "EngineTests", dependencies: ["AzxEngine", "Support"], path: "Tests/Engine"),
        .testTarget(name: "BundleTests", dependencies: ["AzxEngine", "AzxBundle", "Support"], path: "Tests/Bundle"),
        .testTarget(
            name: "PlayTests", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "Support"],
            path: "Tests/Play"),
        .testTarget(
            name: "SelfTestTests", dependencies: ["AzxBundle", "AzxNetwork", "AzxSelfTest", "Support"],
            path: "Tests/SelfTest"),
        .testTarget(
            name: "CoreMLTests", dependencies: ["AzxBundle", "AzxCoreML", "AzxNetwork", "Support"],
            path: "Tests/CoreML"),
        .testTarget(
            name: "DrawingTests", dependencies: ["AzxEngine", "AzxDrawing", "Support"], path: "Tests/Drawing",
            exclude: ["Goldens"]),
        .testTarget(
            name: "ScreensTests",
            dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "AzxDrawing", "AzxScreens", "Support"],
            path: "Tests/Screens"),
    ]
)

// Debian's libonnxruntime-dev runs the real networks where there is no Core ML.
if FileManager.default.fileExists(atPath: "/usr/include/onnxruntime/onnxruntime_c_api.h") {
    package.targets += [
        .systemLibrary(name: "COnnx", path: "Tests/COnnx", pkgConfig: "libonnxruntime"),
        .target(
            name: "OnnxRuntime", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "COnnx"], path: "Tests/Runtime"),
        .testTarget(
            name: "OnnxTests",
            dependencies: [
                "AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "AzxDrawing", "AzxScreens", "AzxSelfTest", "OnnxRuntime",
                "Support",
            ],
            path: "Tests/Onnx"),
    ]
    package.targets.first { $0.name == "azx-speed" }?.dependencies += ["AzxNetwork", "OnnxRuntime"]
}
