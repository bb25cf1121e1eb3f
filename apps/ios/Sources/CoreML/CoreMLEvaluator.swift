// Elsewhere than on Apple's systems this module is empty.
#if canImport(CoreML)
import AzxBundle
import AzxNetwork
import CoreML
import Foundation

/// A bundle's network in Core ML; the only file of the app and of the package that knows of it.
///
/// An actor, as a model may not be shared; its predictions are made one at a time, off the main thread.
public actor CoreMLEvaluator: Network {
    public nonisolated let runtime: String
    private let manifest: Manifest
    private let model: MLModel

    /// Load the compiled model, or compile the package if there is none or it does not load. BundleError if the bundle's files
    /// differ from its manifest, Core ML's error if it refuses them. `words` are what people call the units.
    public init(_ bundle: GameBundle, _ units: Units, words: String) async throws {
        let package = try bundle.model()
        let configuration = MLModelConfiguration()
        configuration.computeUnits =
            switch units {
            case .cpu: .cpuOnly
            case .cpuAndGpu: .cpuAndGPU
            case .cpuAndNeuralEngine: .cpuAndNeuralEngine
            case .all: .all
            }
        manifest = bundle.manifest
        runtime = "Core ML, \(words)" + (bundle.lower.map { ", \($0.precision)" } ?? "")
        model = try await Self.loadModel(package, Self.digest(bundle), configuration)
    }

    /// The units that can be chosen here.
    public static let offered: [Units] = {
        var (hasGpu, hasNeuralEngine) = (false, false)
        for device in MLModel.availableComputeDevices {
            switch device {
            case .gpu: hasGpu = true
            case .neuralEngine: hasNeuralEngine = true
            case .cpu: break
            @unknown default: break
            }
        }
        return Units.offered(hasGpu: hasGpu, hasNeuralEngine: hasNeuralEngine)
    }()

    /// The manifest's digest and the precision. The manifest has the digests of all files, so this text tells models apart,
    /// also after an update of the app has moved them.
    private static func digest(_ bundle: GameBundle) throws -> String {
        try bundle.entry.manifestFile.sha256 + (bundle.lower.map { "-\($0.precision)" } ?? "")
    }

    // Left out of backups, and the system may empty it. On a Mac without a sandbox it is every program's.
    private static let compiled = CompiledModels(
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0].appending(path: "azx/models"))

    /// Both loading and compiling wait elsewhere than on a thread that Swift's tasks share: the synchronous
    /// `MLModel(contentsOf:configuration:)` would hold one for seconds.
    /// https://developer.apple.com/documentation/coreml/mlmodel/load(contentsof:configuration:)
    private static func loadModel(
        _ package: URL, _ digest: String, _ configuration: sending MLModelConfiguration
    ) async throws -> sending MLModel {
        if let found = await compiled.find(digest) {
            do {
                return try await MLModel.load(contentsOf: found, configuration: configuration)
            } catch {
                try Task.checkCancellation()
                await compiled.forget(digest)
            }
        }
        let made = try await MLModel.compileModel(at: package)
        return try await MLModel.load(contentsOf: await compiled.keep(made, digest), configuration: configuration)
    }

    /// BundleError if the network is not as its manifest says.
    public func outputs(_ numbers: [Float]) throws -> [String: [Float]] {
        try outputs(of: [manifest.input.name: numbers])
    }

    /// BundleError if the network is not as its manifest says.
    public func outputs(of inputs: [String: [Float]]) throws -> [String: [Float]] {
        // Each prediction leaves objects behind, and a search makes thousands.
        try autoreleasepool { try readOutputs(try model.prediction(from: try features(inputs))) }
    }

    private func features(_ inputs: [String: [Float]]) throws -> any MLFeatureProvider {
        let tensors = try manifest.inputs.map { port in
            let numbers = inputs[port.name] ?? []
            guard numbers.count == port.size else {
                throw BundleError("error_input_size", manifest.bundle, "\(numbers.count)", "\(port.size)")
            }
            // A network with several rows gets the same position in each.
            let rows = (0..<manifest.rows).flatMap { _ in numbers }
            let tensor = MLShapedArray<Float>(scalars: rows, shape: [manifest.rows] + port.shape)
            return (port.name, MLFeatureValue(multiArray: MLMultiArray(tensor)))
        }
        return try MLDictionaryFeatureProvider(dictionary: Dictionary(uniqueKeysWithValues: tensors))
    }

    private func readOutputs(_ found: any MLFeatureProvider) throws -> [String: [Float]] {
        var read: [String: [Float]] = [:]
        for output in manifest.outputs {
            guard let array = found.featureValue(for: output.name)?.multiArrayValue else {
                throw BundleError(
                    "error_no_output", manifest.bundle, output.name, found.featureNames.sorted().joined(separator: ", "))
            }
            // This converts any type and any padding of rows into contiguous floats. All rows answer the same position.
            read[output.name] = Array(MLShapedArray<Float>(converting: array).scalars.prefix(output.port.size))
        }
        return read
    }
}
#endif
