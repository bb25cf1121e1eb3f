import AzxBundle
import AzxNetwork

/// Which of a device's units may run a network. The shipped networks are of 32-bit floats, which Core ML's Neural
/// Engine never runs: `all` matters for others.
public enum Units: String, CaseIterable, Sendable {
    case cpu, cpuAndGpu, all

    public var phrase: Phrase {
        switch self {
        case .cpu: Phrase("units_cpu")
        case .cpuAndGpu: Phrase("units_cpu_gpu")
        case .all: Phrase("units_all")
        }
    }
}

/// What makes a bundle's network run on some units; an error where it cannot.
public typealias Loading = @Sendable (GameBundle, Units) async throws -> any Network
