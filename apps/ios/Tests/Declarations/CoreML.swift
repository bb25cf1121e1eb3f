// Declarations of the names of Core ML that the package uses, written from its documentation, for tools/app.sh alone. That the
// sources agree with them says nothing about the real framework. Nothing here does anything.

import Foundation

public enum MLComputeUnits: Int, Sendable { case cpuOnly, cpuAndGPU, all, cpuAndNeuralEngine }

public class MLModelConfiguration {
    public init() {}
    public var computeUnits: MLComputeUnits = .all
}

public protocol MLFeatureProvider {
    var featureNames: Set<String> { get }
    func featureValue(for name: String) -> MLFeatureValue?
}

public class MLMultiArray {
    public init(_: MLShapedArray<Float>) {}
}

public class MLFeatureValue {
    public init(multiArray: MLMultiArray) {}
    public var multiArrayValue: MLMultiArray? { nil }
}

public class MLDictionaryFeatureProvider: MLFeatureProvider {
    public init(dictionary: [String: Any]) throws {}
    public var featureNames: Set<String> { [] }
    public func featureValue(for name: String) -> MLFeatureValue? { nil }
}

public struct MLShapedArray<Scalar> {
    public init(scalars: some Sequence<Scalar>, shape: [Int]) {}
    public init(converting: MLMultiArray) {}
    public var scalars: [Scalar] { [] }
}

public class MLPredictionOptions {
    public init() {}
}

public class MLCPUComputeDevice {}
public class MLGPUComputeDevice {}
public class MLNeuralEngineComputeDevice {}
public enum MLComputeDevice {
    case cpu(MLCPUComputeDevice)
    case gpu(MLGPUComputeDevice)
    case neuralEngine(MLNeuralEngineComputeDevice)
}

// No Sendable, as in the framework.
public class MLModel {
    public static var availableComputeDevices: [MLComputeDevice] { [] }
    public init(contentsOf: URL, configuration: MLModelConfiguration) throws {}
    public class func compileModel(at: URL) async throws -> URL { at }
    public func prediction(from: any MLFeatureProvider) throws -> any MLFeatureProvider { from }
    public func prediction(
        from: any MLFeatureProvider, options: MLPredictionOptions = MLPredictionOptions()
    ) async throws -> any MLFeatureProvider { from }
}

/// Of Objective-C's runtime, which Linux does not have.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
