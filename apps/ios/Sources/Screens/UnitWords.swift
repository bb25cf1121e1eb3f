import AzxNetwork

extension Units {
    /// What a person chooses, and what a result is headed with.
    public var phrase: Phrase {
        switch self {
        case .cpu: Phrase("units_cpu")
        case .cpuAndGpu: Phrase("units_cpu_gpu")
        case .cpuAndNeuralEngine: Phrase("units_cpu_neural")
        case .all: Phrase("units_all")
        }
    }
}
