/// The warmth of the device, as its system reports it: from `serious` on it asks apps to do less.
public enum Warmth: Sendable {
    case fine, serious, critical

    /// A thought is divided by this.
    fileprivate var parts: Int {
        switch self {
        case .fine: 1
        case .serious: 2
        case .critical: 4
        }
    }
}

/// Says how warm the device is.
public protocol Thermometer: Sendable {
    /// How warm it is now, and then whenever that changes.
    func readings() -> AsyncStream<Warmth>
}

extension Limit {
    /// Whether a thought of this kind is shorter on a warm device. A level is as strong as it was measured, on each device.
    var canBeLessened: Bool {
        switch self {
        case .policy, .level: false
        case .simulations, .seconds: true
        }
    }

    /// A half of the thought on a warm device, a quarter on a hot one; one simulation at least.
    func lessen(_ warmth: Warmth) -> Limit {
        switch self {
        case .policy: .policy
        case .simulations(let count): .simulations(max(1, count / warmth.parts))
        case .level: self
        case .seconds(let count): .seconds(count / Double(warmth.parts))
        }
    }
}
