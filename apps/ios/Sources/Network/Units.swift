import AzxBundle

/// The units of a device that may run a network. Core ML's Neural Engine never runs the 32-bit floats of the shipped
/// networks, so the last two matter for other networks.
public enum Units: String, CaseIterable, Sendable {
    case cpu, cpuAndGpu, cpuAndNeuralEngine, all

    /// The units that can be chosen on a device, without those that it lacks.
    public static func offered(hasGpu: Bool, hasNeuralEngine: Bool) -> [Units] {
        allCases.filter { units in
            switch units {
            case .cpu, .all: true
            case .cpuAndGpu: hasGpu
            case .cpuAndNeuralEngine: hasNeuralEngine
            }
        }
    }

    /// The units that were saved; the CPU if this device does not offer them, as after a backup from another device.
    public init(kept: String, offered: [Units]) {
        let chosen = Units(rawValue: kept)
        self = chosen.flatMap { offered.contains($0) ? $0 : nil } ?? .cpu
    }
}

/// Loads a bundle's network on some units; throws if that fails.
public typealias Loading = @Sendable (GameBundle, Units) async throws -> any Network
