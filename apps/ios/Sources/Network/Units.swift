import AzxBundle

/// Which of a device's units may run a network. The shipped networks are of 32-bit floats, which Core ML's Neural
/// Engine never runs: the last two matter for others.
public enum Units: String, CaseIterable, Sendable {
    case cpu, cpuAndGpu, cpuAndNeuralEngine, all

    /// Those that can be chosen on a device: what it lacks cannot be, and nothing can be said of it.
    public static func offered(hasGpu: Bool, hasNeuralEngine: Bool) -> [Units] {
        allCases.filter { units in
            switch units {
            case .cpu, .all: true
            case .cpuAndGpu: hasGpu
            case .cpuAndNeuralEngine: hasNeuralEngine
            }
        }
    }

    /// What was chosen and kept; the CPU where this device does not offer it, as another one's backup may have brought it.
    public init(kept: String, offered: [Units]) {
        let chosen = Units(rawValue: kept)
        self = chosen.flatMap { offered.contains($0) ? $0 : nil } ?? .cpu
    }
}

/// What makes a bundle's network run on some units; an error where it cannot.
public typealias Loading = @Sendable (GameBundle, Units) async throws -> any Network
