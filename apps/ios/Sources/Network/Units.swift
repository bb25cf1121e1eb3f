import AzxBundle

/// Which of a device's units may run a network. The shipped networks are of 32-bit floats, which Core ML's Neural
/// Engine never runs: the last two matter for others.
public enum Units: String, CaseIterable, Sendable {
    case cpu, cpuAndGpu, cpuAndNeuralEngine, all
}

/// What makes a bundle's network run on some units; an error where it cannot.
public typealias Loading = @Sendable (GameBundle, Units) async throws -> any Network
