import AzxPlay
import Foundation

/// How warm the system says that this device is.
struct DeviceThermometer: Thermometer {
    func readings() -> AsyncStream<Warmth> {
        AsyncStream { continuation in
            // The system tells of changes only to those who have asked once.
            continuation.yield(Self.warmth)
            let task = Task {
                let changes = NotificationCenter.default.notifications(
                    named: ProcessInfo.thermalStateDidChangeNotification)
                for await _ in changes { continuation.yield(Self.warmth) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static var warmth: Warmth {
        switch ProcessInfo.processInfo.thermalState {
        case .critical: .critical
        case .serious: .serious
        default: .fine
        }
    }
}
