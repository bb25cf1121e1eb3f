import AzxEngine

/// One of golden.json's positions: inputs and the reference's outputs by name, and the best of the legal moves.
public struct Golden: Equatable, Sendable {
    public let inputs: [String: [Float]]
    public let outputs: [String: [Float]]
    public let legal: [Int]?
    public let best: Int?

    /// The positions of golden.json; BundleError if it has none, or some belong to another network.
    public static func positions(_ data: Json, _ manifest: Manifest) throws -> [Golden] {
        guard let positions = data["positions"].list, !positions.isEmpty else {
            throw BundleError("error_no_positions", manifest.bundle)
        }
        return try positions.map { position in
            guard let golden = Golden(position, manifest) else { throw BundleError("error_other_positions", manifest.bundle) }
            return golden
        }
    }

    private init?(_ data: Json, _ manifest: Manifest) {
        let width = manifest.output(.policy)?.port.size ?? 0
        guard let inputs = tensors(data["inputs"], manifest.inputs),
            let outputs = tensors(data["outputs"], manifest.outputs.map(\.port))
        else { return nil }
        let (legal, best) = (data["legal"].wholes, data["best"].whole)
        guard data["legal"].isNull || legal != nil, data["best"].isNull || best != nil else { return nil }
        let known = legal ?? Array(0..<width)
        guard known.allSatisfy({ 0 <= $0 && $0 < width }), best.map(known.contains) ?? true else { return nil }
        (self.inputs, self.outputs, self.legal, self.best) = (inputs, outputs, legal, best)
    }
}

/// The tensors of some ports by their names; nil if one is missing or has another size.
private func tensors(_ data: Json, _ ports: [Port]) -> [String: [Float]]? {
    var found: [String: [Float]] = [:]
    for port in ports {
        guard let numbers = data[port.name].floats, numbers.count == port.size,
            numbers.allSatisfy(\.isFinite)
        else { return nil }
        found[port.name] = numbers
    }
    return found
}
