import AzxBundle
import AzxNetwork
import AzxPlay
import AzxScreens
import SwiftUI

/// A game against the network of a bundle, from the opening of the bundle on.
struct BoardScreen: View {
    let entry: Entry
    let store: Store
    let units: Units
    @SwiftUI.State private var room: Room
    @Environment(\.scenePhase) private var scenePhase

    /// `given` is the text of a game that is to be looked at first.
    init(entry: Entry, store: Store, units: Units, given: String? = nil) {
        self.entry = entry
        self.store = store
        self.units = units
        _room = SwiftUI.State(wrappedValue: Room(keeping: UserDefaults.standard, given: given))
    }

    var body: some View {
        content
            .navigationTitle(title(of: entry))
            .navigationBarTitleDisplayMode(.inline)
            .toolbar { NavigationLink(value: Place.settings) { Label(say("app_settings"), systemImage: "gearshape") } }
            // Cancelled when another screen covers this one, and begun anew with it: the room opens its bundle once.
            // https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
            .task { await room.open(entry, store, on: units, loadCoreML) }
            .task { await room.watch(DeviceThermometer()) }
            .onAppear { room.enter() }
            .onDisappear { room.leave() }
            // In the background an app may not use the GPU, and should not use the battery.
            .onChange(of: scenePhase, initial: true) { _, now in room.activate(now == .active) }
            .onChange(of: room.keepsAwake, initial: true) { _, now in UIApplication.shared.isIdleTimerDisabled = now }
    }

    @ViewBuilder private var content: some View {
        if let failure = room.failure {
            FailureView(title: say("cannot_open"), sentence: say(failure))
        } else if let seat = room.seat {
            TableView(room: room, seat: seat, presentation: Presentation(entry.game ?? ""))
        } else {
            ProgressView(say("opening"))
        }
    }
}
