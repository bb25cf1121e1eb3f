import AzxBundle
import AzxNetwork
import AzxScreens
import SwiftUI

/// A field for the record of a game; the game takes its place once there is one.
struct OpenGameScreen: View {
    let store: Store
    let given: GivenBundles
    let units: Units
    let arrivals: Arrivals
    @SwiftUI.State private var opener = RecordOpener()

    var body: some View {
        if let found = opener.found {
            BoardScreen(found.bundle, units: units, game: found.id, among: store, given, arrivals)
        } else {
            List {
                Text(say("open_game_about"))
                TextEditor(text: $opener.text)
                    .frame(minHeight: 120)
                    .accessibilityLabel(say("open_game_text"))
                Button(say("open_it")) { Task { await opener.open(store, given, in: library) } }.disabled(opener.text.isEmpty)
                if let complaint = opener.complaint { Text(say(complaint)) }
            }
            .navigationTitle(say("open_game"))
            .navigationBarTitleDisplayMode(.inline)
        }
    }
}
