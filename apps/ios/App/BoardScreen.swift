import AzxBundle
import AzxNetwork
import AzxPlay
import AzxScreens
import SwiftUI

/// A game against the network of a bundle, from the opening of the bundle on.
struct BoardScreen: View {
    let installed: Installed
    let units: Units
    let arrivals: Arrivals
    @SwiftUI.State private var room: Room
    @Environment(\.scenePhase) private var scenePhase

    /// `game` is the library's entry that continues here, or is read. Without it the bundle's last game continues, or a new one
    /// begins if `isNew`. The bundles of `store` and `given` may play against this one; one among the `arrivals` may replace it.
    init(
        _ installed: Installed, units: Units, game: String? = nil, isNew: Bool = false, among store: Store,
        _ given: GivenBundles, _ arrivals: Arrivals
    ) {
        (self.installed, self.units, self.arrivals) = (installed, units, arrivals)
        let room = Room(keeping: UserDefaults.standard, in: library, game: game, isNew: isNew) {
            try Installed.all(store, given)
        }
        _room = SwiftUI.State(wrappedValue: room)
    }

    var body: some View {
        content
            .navigationTitle(title(of: installed.entry))
            .navigationBarTitleDisplayMode(.inline)
            .toolbar { NavigationLink(value: Place.settings) { Label(say("app_settings"), systemImage: "gearshape") } }
            // Cancelled when another screen covers this one, and begun anew with it: the room opens its bundle once.
            // https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
            .task { await room.open(installed, on: units, loadCoreML) }
            .task { await room.watch(DeviceThermometer()) }
            .onAppear(perform: enter)
            .onDisappear(perform: leave)
            // In the background an app may not use the GPU, and should not use the battery.
            .onChange(of: scenePhase, initial: true) { _, now in room.activate(now == .active) }
            .onChange(of: room.keepsAwake, initial: true) { _, now in UIApplication.shared.isIdleTimerDisabled = now }
    }

    private func enter() {
        room.enter()
        arrivals.room = room
        // Changes made while another screen covered this one may not be reported.
        UIApplication.shared.isIdleTimerDisabled = room.keepsAwake
    }

    private func leave() {
        room.leave()
        // Another board may have come to the front before this one has gone.
        if arrivals.room !== room { return }
        arrivals.room = nil
        // A view that is gone is not told of changes.
        UIApplication.shared.isIdleTimerDisabled = false
    }

    @ViewBuilder private var content: some View {
        if let failure = room.failure {
            VStack {
                FailureView(title: say("cannot_open"), sentence: say(failure))
                FailureActs(mayPass: room.mayPass) { Task { await room.tryAgain(installed, on: units, loadCoreML) } }.padding()
            }
        } else if let seat = room.seat {
            TableView(room: room, seat: seat, presentation: seat.presentation)
        } else {
            ProgressView(say("opening"))
        }
    }
}

/// The warmth of this device, as the system reports it.
private struct DeviceThermometer: Thermometer {
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
