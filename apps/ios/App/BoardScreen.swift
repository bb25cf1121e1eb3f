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
    @SwiftUI.State private var room = Room(keeping: UserDefaults.standard)
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
        content
            .navigationTitle(title(of: entry))
            .navigationBarTitleDisplayMode(.inline)
            .task { await room.open(entry, store, on: units, loadCoreML) }
            .onAppear { room.enter() }
            .onDisappear { room.leave() }
            // In the background an app may not use the GPU, and should not use the battery.
            .onChange(of: scenePhase) { _, now in now == .active ? room.enter() : room.leave() }
    }

    @ViewBuilder private var content: some View {
        if let failure = room.failure {
            FailureView(title: say("cannot_open"), sentence: failure)
        } else if let table = room.table {
            TableView(room: room, table: table, presentation: Presentation(entry.game ?? ""))
        } else {
            ProgressView(say("opening"))
        }
    }
}

/// A table: the board, what is said of the game, and the controls, beside each other where there is room.
private struct TableView: View {
    let room: Room
    let table: AzxPlay.Table
    let presentation: Presentation
    @Environment(\.horizontalSizeClass) private var width
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        if let failure = table.failure {
            FailureView(title: say("went_wrong"), sentence: failure)
            Button(say("new_game"), action: table.restart).buttonStyle(.borderedProminent)
        } else {
            sides
                .sensoryFeedback(.impact, trigger: table.session.moves)
                .sensoryFeedback(.error, trigger: table.notice) { _, now in
                    if case .notPossible = now { true } else { false }
                }
                .onChange(of: spoken) { _, now in AccessibilityNotification.Announcement(now).post() }
                .onChange(of: table.isThinking, initial: true) { _, now in
                    UIApplication.shared.isIdleTimerDisabled = now
                }
                .onDisappear { UIApplication.shared.isIdleTimerDisabled = false }
        }
    }

    /// What a screen reader hears when it changes.
    private var spoken: String { said + " " + noticed }

    private var said: String { say(status(table.session, presentation)) }

    private var noticed: String { table.notice.map { say(sentence($0, table.session.latest)) } ?? "" }

    @ViewBuilder private var sides: some View {
        if width == .regular || height == .compact {
            HStack(alignment: .top) {
                ScrollView { main.padding() }
                ScrollView { Panel(room: room, table: table, presentation: presentation).padding() }
                    .frame(maxWidth: 360)
            }
        } else {
            ScrollView {
                VStack(spacing: 16) {
                    main
                    Panel(room: room, table: table, presentation: presentation)
                }
                .padding()
            }
        }
    }

    private var main: some View {
        VStack(spacing: 12) {
            Text(said).font(.headline)
            Text(noticed).font(.subheadline)
            BoardView(table: table)
            Text(summary(table.session, table.session.visible).map(say).joined(separator: " ")).font(.subheadline)
            Picker(say("mode_play"), selection: Binding { @MainActor in table.isReplay } set: { @MainActor in table.replay($0) }) {
                Text(say("mode_play")).tag(false)
                Text(say("mode_replay")).tag(true)
            }
            .pickerStyle(.segmented)
            if table.isReplay { ReplayBar(table: table) } else { MoveButtons(room: room, table: table) }
        }
    }
}

/// What a person can do beside moving.
private struct MoveButtons: View {
    let room: Room
    let table: AzxPlay.Table

    var body: some View {
        ViewThatFits {
            HStack { buttons }
            VStack { buttons }
        }
        .buttonStyle(.bordered)
    }

    @ViewBuilder private var buttons: some View {
        if passOf(table.session.latest) != nil {
            Button(say("pass"), action: table.pass).disabled(!table.canPlay)
        }
        Button(say("undo"), action: table.undo).disabled(!table.session.canUndo)
        if room.hasPolicy {
            Button(say("hint"), action: table.hint).disabled(!table.canPlay)
        }
        if table.isThinking {
            Button(say("stop"), action: table.stop)
        }
        Button(say("new_game"), action: table.restart).buttonStyle(.borderedProminent)
    }
}
