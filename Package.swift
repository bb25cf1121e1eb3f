// swift-tools-version: 6.0
import Foundation
import PackageDescription

// SwiftPM looks for this file here, so that the package can be added by the repository's address. Its sources are in apps/ios.
// Each room is a module, so that the compiler refuses an import that goes up.
let package = Package(
    name: "Azx",
    platforms: [.iOS(.v17), .macOS(.v14)],
    // No product has a target's name, and none is static: Xcode then builds one dynamic library for all targets that link it,
    // so that no type exists twice.
    products: [
        // The engine, bundles and networks, without screens and texts: for an app of your own.
        .library(name: "AzxKit", targets: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxCoreML"]),
        // All modules, for the app of apps/ios.
        .library(
            name: "Azx",
            targets: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxCoreML", "AzxPlay", "AzxDrawing", "AzxScreens"]),
    ],
    targets: [
        .target(name: "AzxEngine", path: "apps/ios/Sources/Engine", resources: [.process("Resources")]),
        // zlib and OpenSSL, in place of Apple's own zlib and CryptoKit.
        .systemLibrary(name: "CSystem", path: "apps/ios/Sources/CSystem", providers: [.apt(["zlib1g-dev", "libssl-dev"])]),
        .target(
            name: "AzxBundle",
            dependencies: ["AzxEngine", .target(name: "CSystem", condition: .when(platforms: [.linux]))],
            path: "apps/ios/Sources/Bundle", resources: [.process("Resources")], linkerSettings: [.linkedLibrary("z")]),
        .target(name: "AzxNetwork", dependencies: ["AzxEngine", "AzxBundle"], path: "apps/ios/Sources/Network"),
        .target(name: "AzxCoreML", dependencies: ["AzxBundle", "AzxNetwork"], path: "apps/ios/Sources/CoreML"),
        .target(name: "AzxPlay", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork"], path: "apps/ios/Sources/Play"),
        .target(name: "AzxDrawing", dependencies: ["AzxEngine"], path: "apps/ios/Sources/Drawing"),
        .target(
            name: "AzxScreens", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "AzxDrawing"],
            path: "apps/ios/Sources/Screens"),
        .target(
            name: "AzxSelfTest", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay"],
            path: "apps/ios/Sources/SelfTest", resources: [.process("Resources")]),
        .executableTarget(
            name: "azx-selftest", dependencies: ["AzxNetwork", "AzxCoreML", "AzxSelfTest"],
            path: "apps/ios/Sources/SelfTestCommand"),
        .executableTarget(name: "azx-speed", dependencies: ["AzxEngine", "Support"], path: "apps/ios/Tests/Speed"),
        .target(
            name: "Support",
            dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "AzxDrawing", "AzxScreens"],
            path: "apps/ios/Tests/Support"),
        .testTarget(name: "EngineTests", dependencies: ["AzxEngine", "Support"], path: "apps/ios/Tests/Engine"),
        .testTarget(name: "BundleTests", dependencies: ["AzxEngine", "AzxBundle", "Support"], path: "apps/ios/Tests/Bundle"),
        .testTarget(
            name: "PlayTests", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "Support"],
            path: "apps/ios/Tests/Play"),
        .testTarget(
            name: "SelfTestTests", dependencies: ["AzxBundle", "AzxNetwork", "AzxSelfTest", "Support"],
            path: "apps/ios/Tests/SelfTest"),
        .testTarget(
            name: "CoreMLTests", dependencies: ["AzxBundle", "AzxCoreML", "AzxNetwork", "Support"],
            path: "apps/ios/Tests/CoreML"),
        .testTarget(
            name: "DrawingTests", dependencies: ["AzxEngine", "AzxDrawing", "Support"], path: "apps/ios/Tests/Drawing",
            exclude: ["Goldens"]),
        .testTarget(
            name: "ScreensTests",
            dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "AzxDrawing", "AzxScreens", "Support"],
            path: "apps/ios/Tests/Screens"),
    ]
)

// Debian's libonnxruntime-dev runs the real networks where there is no Core ML.
if FileManager.default.fileExists(atPath: "/usr/include/onnxruntime/onnxruntime_c_api.h") {
    package.targets += [
        .systemLibrary(name: "COnnx", path: "apps/ios/Tests/COnnx", pkgConfig: "libonnxruntime"),
        .target(
            name: "OnnxRuntime", dependencies: ["AzxEngine", "AzxBundle", "AzxNetwork", "COnnx"], path: "apps/ios/Tests/Runtime"),
        .testTarget(
            name: "OnnxTests",
            dependencies: [
                "AzxEngine", "AzxBundle", "AzxNetwork", "AzxPlay", "AzxDrawing", "AzxScreens", "AzxSelfTest", "OnnxRuntime",
                "Support",
            ],
            path: "apps/ios/Tests/Onnx"),
    ]
    package.targets.first { $0.name == "azx-speed" }?.dependencies += ["AzxNetwork", "OnnxRuntime"]
}
