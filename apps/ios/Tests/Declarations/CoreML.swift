// Declarations of the names of Core ML that the package uses, written from its documentation, for tools/app.sh alone. That
// the sources agree with them says nothing about the real framework. Nothing here does anything.

import Foundation

/// https://developer.apple.com/documentation/coreml/mlcomputeunits (iOS 12)
public enum MLComputeUnits: Int, Sendable { case cpuOnly, cpuAndGPU, all, cpuAndNeuralEngine }

// None of the classes is Sendable, as in the framework.
/// https://developer.apple.com/documentation/coreml/mlmodelconfiguration (iOS 12)
open class MLModelConfiguration: NSObject {
    public override init() {}
    open var computeUnits: MLComputeUnits = .all
}

/// https://developer.apple.com/documentation/coreml/mlfeatureprovider (iOS 11)
public protocol MLFeatureProvider {
    var featureNames: Set<String> { get }
    func featureValue(for featureName: String) -> MLFeatureValue?
}

/// https://developer.apple.com/documentation/coreml/mlshapedarrayscalar (iOS 15)
public protocol MLShapedArrayScalar {}
extension Float: MLShapedArrayScalar {}
extension Double: MLShapedArrayScalar {}
extension Int32: MLShapedArrayScalar {}

/// https://developer.apple.com/documentation/coreml/mlshapedarrayprotocol (iOS 15)
public protocol MLShapedArrayProtocol<Scalar> {
    associatedtype Scalar: MLShapedArrayScalar
    init<S: Sequence>(scalars: S, shape: [Int]) where S.Element == Scalar
    init(converting multiArray: MLMultiArray)
    var scalars: [Scalar] { get set }
}

/// https://developer.apple.com/documentation/coreml/mlshapedarray (iOS 15)
public struct MLShapedArray<Scalar: MLShapedArrayScalar>: MLShapedArrayProtocol {
    public init<S: Sequence>(scalars: S, shape: [Int]) where S.Element == Scalar { self.scalars = [] }
    public init(converting multiArray: MLMultiArray) { scalars = [] }
    public var scalars: [Scalar]
}

/// https://developer.apple.com/documentation/coreml/mlmultiarray (iOS 11)
open class MLMultiArray: NSObject {
    public convenience init<ShapedArray: MLShapedArrayProtocol>(_ shapedArray: ShapedArray) { self.init() }
}

/// https://developer.apple.com/documentation/coreml/mlfeaturevalue (iOS 11)
open class MLFeatureValue: NSObject {
    public convenience init(multiArray value: MLMultiArray) { self.init() }
    open var multiArrayValue: MLMultiArray? { nil }
}

/// https://developer.apple.com/documentation/coreml/mldictionaryfeatureprovider (iOS 11)
open class MLDictionaryFeatureProvider: NSObject, MLFeatureProvider {
    public init(dictionary: [String: Any]) throws {}
    open var featureNames: Set<String> { [] }
    open func featureValue(for featureName: String) -> MLFeatureValue? { nil }
}

/// https://developer.apple.com/documentation/coreml/mlpredictionoptions (iOS 11)
open class MLPredictionOptions: NSObject {}

/// https://developer.apple.com/documentation/coreml/mlcpucomputedevice (iOS 17)
open class MLCPUComputeDevice: NSObject {}
/// https://developer.apple.com/documentation/coreml/mlgpucomputedevice (iOS 17)
open class MLGPUComputeDevice: NSObject {}
/// https://developer.apple.com/documentation/coreml/mlneuralenginecomputedevice (iOS 17)
open class MLNeuralEngineComputeDevice: NSObject {}
/// https://developer.apple.com/documentation/coreml/mlcomputedevice (iOS 17)
public enum MLComputeDevice {
    case cpu(MLCPUComputeDevice)
    case gpu(MLGPUComputeDevice)
    case neuralEngine(MLNeuralEngineComputeDevice)
}

/// https://developer.apple.com/documentation/coreml/mlmodel (iOS 11)
open class MLModel: NSObject {
    /// https://developer.apple.com/documentation/coreml/mlmodel/availablecomputedevices (iOS 17)
    public static var availableComputeDevices: [MLComputeDevice] { [] }
    /// https://developer.apple.com/documentation/coreml/mlmodel/load(contentsof:configuration:) (iOS 15)
    open class func load(
        contentsOf url: URL, configuration: MLModelConfiguration = MLModelConfiguration()
    ) async throws -> MLModel { fatalError() }
    /// https://developer.apple.com/documentation/coreml/mlmodel/compilemodel(at:) (iOS 16)
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
