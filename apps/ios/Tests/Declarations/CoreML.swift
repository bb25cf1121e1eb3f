// Declarations of the names of Core ML that the package uses, written from its documentation, for tools/app.sh alone. That
// the sources agree with them says nothing about the real framework. Nothing here does anything.

import Foundation

public enum MLComputeUnits: Int, Sendable { case cpuOnly, cpuAndGPU, all, cpuAndNeuralEngine }

// None of the classes is Sendable, as in the framework.
open class MLModelConfiguration: NSObject {
    public override init() {}
    open var computeUnits: MLComputeUnits = .all
}

public protocol MLFeatureProvider {
    var featureNames: Set<String> { get }
    func featureValue(for featureName: String) -> MLFeatureValue?
}

public protocol MLShapedArrayScalar {}
extension Float: MLShapedArrayScalar {}
extension Double: MLShapedArrayScalar {}
extension Int32: MLShapedArrayScalar {}

public protocol MLShapedArrayProtocol<Scalar> {
    associatedtype Scalar: MLShapedArrayScalar
    init<S: Sequence>(scalars: S, shape: [Int]) where S.Element == Scalar
    init(converting multiArray: MLMultiArray)
    var scalars: [Scalar] { get set }
}

public struct MLShapedArray<Scalar: MLShapedArrayScalar>: MLShapedArrayProtocol {
    public init<S: Sequence>(scalars: S, shape: [Int]) where S.Element == Scalar { self.scalars = [] }
    public init(converting multiArray: MLMultiArray) { scalars = [] }
    public var scalars: [Scalar]
}

open class MLMultiArray: NSObject {
    public convenience init<ShapedArray: MLShapedArrayProtocol>(_ shapedArray: ShapedArray) { self.init() }
}

open class MLFeatureValue: NSObject {
    public convenience init(multiArray value: MLMultiArray) { self.init() }
    open var multiArrayValue: MLMultiArray? { nil }
}

open class MLDictionaryFeatureProvider: NSObject, MLFeatureProvider {
    public init(dictionary: [String: Any]) throws {}
    open var featureNames: Set<String> { [] }
    open func featureValue(for featureName: String) -> MLFeatureValue? { nil }
}

open class MLPredictionOptions: NSObject {}

open class MLCPUComputeDevice: NSObject {}
open class MLGPUComputeDevice: NSObject {}
open class MLNeuralEngineComputeDevice: NSObject {}
public enum MLComputeDevice {
    case cpu(MLCPUComputeDevice)
    case gpu(MLGPUComputeDevice)
    case neuralEngine(MLNeuralEngineComputeDevice)
}

open class MLModel: NSObject {
    public static var availableComputeDevices: [MLComputeDevice] { [] }
    public init(contentsOf url: URL, configuration: MLModelConfiguration) throws {}
    open class func load(
        contentsOf url: URL, configuration: MLModelConfiguration = MLModelConfiguration()
    ) async throws -> MLModel { fatalError() }
    // Both are there: in what is async, `await` finds the second.
    open class func compileModel(at modelURL: URL) throws -> URL { modelURL }
    open class func compileModel(at modelURL: URL) async throws -> URL { modelURL }
    open func prediction(from input: any MLFeatureProvider) throws -> any MLFeatureProvider { input }
    open func prediction(
        from input: any MLFeatureProvider, options: MLPredictionOptions
    ) throws -> any MLFeatureProvider { input }
    public func prediction(
        from input: any MLFeatureProvider, options: MLPredictionOptions = MLPredictionOptions()
    ) async throws -> any MLFeatureProvider { input }
}

/// Of Objective-C's runtime, which Linux does not have.
public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result where Result: ~Copyable { try body() }
