import AzxBundle
import AzxNetwork
import COnnx
import Foundation

/// What ONNX Runtime says where it fails.
public struct OnnxError: Error {
    let words: String
}

/// A bundle's ONNX file in ONNX Runtime, by its C API: the real network if there is no Core ML.
public final class OnnxNetwork: Network, @unchecked Sendable {
    // ONNX Runtime's sessions may be asked by several threads at once.
    private let api: UnsafePointer<OrtApi>
    private let environment: OpaquePointer
    private let session: OpaquePointer
    private let memory: OpaquePointer
    private let manifest: Manifest
    public let runtime: String

    public init(_ bundle: GameBundle) throws {
        guard let base = OrtGetApiBase(), let api = base.pointee.GetApi(UInt32(ORT_API_VERSION)) else {
            throw OnnxError(words: "ONNX Runtime is older than its header.")
        }
        let path = try bundle.model(for: "desktop").path
        self.api = api
        manifest = bundle.manifest
        runtime = "ONNX Runtime " + (base.pointee.GetVersionString().map { String(cString: $0) } ?? "")
        environment = try make(api) { api.pointee.CreateEnv(ORT_LOGGING_LEVEL_FATAL, "azx", &$0) }
        let options = try make(api) { api.pointee.CreateSessionOptions(&$0) }
        defer { api.pointee.ReleaseSessionOptions(options) }
        try hold(api, api.pointee.SetIntraOpNumThreads(options, 1))
        let environment = environment
        session = try make(api) { api.pointee.CreateSession(environment, path, options, &$0) }
        memory = try make(api) { api.pointee.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &$0) }
    }

    deinit {
        api.pointee.ReleaseMemoryInfo(memory)
        api.pointee.ReleaseSession(session)
        api.pointee.ReleaseEnv(environment)
    }

    public func outputs(_ input: [Float]) throws -> [String: [Float]] {
        var numbers = input
        return try numbers.withUnsafeMutableBytes { bytes in
            let shape = [1] + manifest.input.shape.map(Int64.init)
            let tensor = try make(api) {
                api.pointee.CreateTensorWithDataAsOrtValue(
                    memory, bytes.baseAddress, bytes.count, shape, shape.count, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &$0)
            }
            defer { api.pointee.ReleaseValue(tensor) }
            return try run(tensor)
        }
    }

    private func run(_ tensor: OpaquePointer) throws -> [String: [Float]] {
        // The texts as C has them.
        let names = ([manifest.input.name] + manifest.outputs.map(\.name)).map { strdup($0) }
        defer { names.forEach { free($0) } }
        let (inputs, outputs) = (names.prefix(1).map { UnsafePointer($0) }, names.dropFirst().map { UnsafePointer($0) })
        var values = [OpaquePointer?](repeating: nil, count: outputs.count)
        defer { for value in values { api.pointee.ReleaseValue(value) } }
        try hold(api, api.pointee.Run(session, nil, inputs, [tensor], 1, outputs, outputs.count, &values))
        var found: [String: [Float]] = [:]
        for (output, value) in zip(manifest.outputs, values) { found[output.name] = try read(value) }
        return found
    }

    private func read(_ value: OpaquePointer?) throws -> [Float] {
        let shape = try make(api) { api.pointee.GetTensorTypeAndShape(value, &$0) }
        defer { api.pointee.ReleaseTensorTypeAndShapeInfo(shape) }
        var (count, kind) = (0, ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED)
        var data: UnsafeMutableRawPointer?
        try hold(api, api.pointee.GetTensorShapeElementCount(shape, &count))
        try hold(api, api.pointee.GetTensorElementType(shape, &kind))
        try hold(api, api.pointee.GetTensorMutableData(value, &data))
        guard kind == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, let data else {
            throw OnnxError(words: "an output is no tensor of floats.")
        }
        return Array(UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count))
    }
}

/// OnnxError if a call has failed.
private func hold(_ api: UnsafePointer<OrtApi>, _ status: OpaquePointer?) throws {
    guard let status else { return }
    defer { api.pointee.ReleaseStatus(status) }
    throw OnnxError(words: api.pointee.GetErrorMessage(status).map { String(cString: $0) } ?? "no reason given.")
}

/// What a call makes.
private func make(
    _ api: UnsafePointer<OrtApi>, _ call: (inout OpaquePointer?) -> OpaquePointer?
) throws -> OpaquePointer {
    var found: OpaquePointer?
    try hold(api, call(&found))
    guard let found else { throw OnnxError(words: "nothing was made.") }
    return found
}
