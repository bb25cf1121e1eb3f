import AzxBundle
import AzxEngine

/// A bundle's network in some runtime.
public protocol Network: Sendable {
    /// What runs it, for people.
    var runtime: String { get }

    /// The outputs by the manifest's names, flat, for one input tensor, flat and without the batch.
    func outputs(_ input: [Float]) async throws -> [String: [Float]]

    /// The same for a network with any number of inputs, by the manifest's names, as a self-test needs it.
    func outputs(of inputs: [String: [Float]]) async throws -> [String: [Float]]

    /// Wait until the network is loaded.
    func ready() async throws
}

extension Network {
    public func ready() async throws {}

    /// For a runtime that only runs networks with one input.
    public func outputs(of inputs: [String: [Float]]) async throws -> [String: [Float]] {
        guard inputs.count == 1, let input = inputs.first?.value else {
            throw GameError("\(runtime) was given \(inputs.count) inputs here, and takes one: use another bundle.")
        }
        return try await outputs(input)
    }
}

/// A network that is still being loaded: each question waits for it, and throws if it cannot be loaded.
public struct Arriving: Network {
    private let loading: Task<any Network, any Error>

    public init(_ loading: Task<any Network, any Error>) { self.loading = loading }

    public var runtime: String { "" }

    public func outputs(_ input: [Float]) async throws -> [String: [Float]] { try await loading.value.outputs(input) }

    public func outputs(of inputs: [String: [Float]]) async throws -> [String: [Float]] {
        try await loading.value.outputs(of: inputs)
    }

    public func ready() async throws { _ = try await loading.value }
}

/// A network as an evaluator for a search: it reads the outputs as the bundle's manifest says, in any runtime.
public struct NetworkEvaluator: Evaluator {
    private let network: any Network
    private let bundle: GameBundle
    private let value: Output?
    private let policy: Output?

    public init(_ network: any Network, _ bundle: GameBundle) {
        self.network = network
        self.bundle = bundle
        value = bundle.manifest.output(.value)
        policy = bundle.manifest.output(.policy)
    }

    /// Whether the network has a value; without one the value of every evaluation is 0.
    public var hasValue: Bool { value != nil }

    public func ready() async throws { try await network.ready() }

    /// BundleError if the network's answer has NaN or differs from its manifest's shapes, Unplayable if it cannot be played.
    public func evaluate(_ state: any State) async throws -> Evaluation {
        let reading = try bundle.reading
        let outputs = try await answers(reading, try reading.tensor(state))
        let found = try value.flatMap { output in
            let numbers = try self.numbers(outputs, output)
            return output.valueHead?.read(numbers)
        }
        let policy = try policy.map { try numbers(outputs, $0) }
        guard found?.isFinite ?? true, policy?.allSatisfy(\.isFinite) ?? true else {
            throw BundleError("error_no_number", bundle.entry.name)
        }
        return Evaluation(
            value: reading.value(found ?? 0, state),
            policy: policy.flatMap { reading.policy($0, state) }, logits: self.policy?.isLogits ?? false)
    }

    /// The outputs for a position; each of several inputs reads its part of the tensor.
    private func answers(_ reading: Reading, _ tensor: [Float]) async throws -> [String: [Float]] {
        let inputs = bundle.manifest.inputs
        if inputs.count == 1 { return try await network.outputs(tensor) }
        let parts = zip(inputs.map(\.name), reading.encoding.split(tensor))
        return try await network.outputs(of: Dictionary(uniqueKeysWithValues: parts))
    }

    private func numbers(_ outputs: [String: [Float]], _ wanted: Output) throws -> [Float] {
        guard let numbers = outputs[wanted.name] else {
            throw BundleError(
                "error_no_output", bundle.entry.name, wanted.name, outputs.keys.sorted().joined(separator: ", "))
        }
        guard numbers.count == wanted.port.size else {
            throw BundleError(
                "error_output_size", bundle.entry.name, wanted.name, "\(numbers.count)", "\(wanted.port.size)")
        }
        return numbers
    }
}
