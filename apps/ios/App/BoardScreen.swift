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

    /// `game` is the entry of the library that goes on here, or is read; nil if that is the bundle's last one, or a
    /// new one begins, as `isNew` says. The other bundles, of `store` and `given`, may play against this one; one that comes
    /// among the `arrivals` may go on in its place.
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
        // What has changed while another screen covered this one may not be told.
        UIApplication.shared.isIdleTimerDisabled = room.keepsAwake
    }

    private func leave() {
        room.leave()
        // Another board may have come to the front before this one has gone.
        if arrivals.room !== room { return }
        arrivals.room = nil
        // A view that is gone hears of no change.
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
