import AzxBundle
import AzxEngine

/// A bundle's network in some runtime.
public protocol Network: Sendable {
    /// What runs it, for people.
    var runtime: String { get }

    /// The outputs by the manifest's names, flat, for one input tensor, flat and without the batch.
    func outputs(_ input: [Float]) async throws -> [String: [Float]]
}

/// A network as a search asks it: its outputs read as its bundle's manifest says, whatever runs it.
public struct NetworkEvaluator: Evaluator {
    private let network: any Network
    private let reading: Reading
    private let place: String
    private let value: Output?
    private let policy: Output?

    public init(_ network: any Network, _ bundle: GameBundle) {
        self.network = network
        reading = bundle.reading
        place = bundle.manifest.place
        value = bundle.manifest.output(.value)
        policy = bundle.manifest.output(.policy)
    }

    /// Whether the network has a value; without one every evaluation's is 0.
    public var hasValue: Bool { value != nil }

    /// BundleError where the network answers with what is no number, or not with what its manifest says.
    public func evaluate(_ state: any State) async throws -> Evaluation {
        let outputs = try await network.outputs(try reading.tensor(state))
        let found = try value.flatMap { output in
            let numbers = try self.numbers(outputs, output)
            return output.valueHead?.read(numbers)
        }
        let policy = try policy.map { try numbers(outputs, $0) }
        guard found?.isFinite ?? true, policy?.allSatisfy(\.isFinite) ?? true else {
            throw BundleError("\(place): its network answers with what is no number: export the bundle again.")
        }
        return Evaluation(
            value: reading.value(found ?? 0, state),
            policy: policy.flatMap { reading.policy($0, actions: state.actions) }, logits: tellsLogits(policy))
    }

    private func numbers(_ outputs: [String: [Float]], _ wanted: Output) throws -> [Float] {
        guard let numbers = outputs[wanted.name] else {
            let has = outputs.keys.sorted().joined(separator: ", ")
            throw BundleError("\(place): its network has no '\(wanted.name)' but \(has): export the bundle again.")
        }
        guard numbers.count == wanted.port.size else {
            throw BundleError(
                "\(place): '\(wanted.name)' of its network has \(numbers.count) numbers, its manifest says "
                    + "\(wanted.port.size): export the bundle again.")
        }
        return numbers
    }

    /// Where the manifest does not know it, numbers outside of 0 to 1 are no probabilities.
    private func tellsLogits(_ outputs: [Float]?) -> Bool {
        switch policy?.activation {
        case nil, "softmax": false
        case "linear": true
        default: outputs?.contains { $0 < 0 || $0 > 1 } ?? false
        }
    }
}
