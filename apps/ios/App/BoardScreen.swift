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
            .task { await room.open(entry, store, on: units, loadCoreML) }
            .task { await room.watch(DeviceThermometer()) }
            .onAppear { room.enter() }
            .onDisappear { room.leave() }
            // In the background an app may not use the GPU, and should not use the battery.
            .onChange(of: scenePhase) { _, now in now == .active ? room.enter() : room.leave() }
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

/// A table: the board, what is said of the game, and the controls, beside each other where there is room.
private struct TableView: View {
    let room: Room
    let seat: Seat
    let presentation: Presentation

    private var table: AzxPlay.Table { seat.table }

    var body: some View {
        if let complaint = table.complaint {
            FailureView(title: say("went_wrong"), sentence: say(complaint))
            Button(say("new_game"), action: table.restart).buttonStyle(.borderedProminent)
        } else {
            GeometryReader { geometry in
                sides(isWide: geometry.size.width > geometry.size.height)
            }
            .sensoryFeedback(.impact, trigger: table.session.moves)
            .sensoryFeedback(.error, trigger: seat.refusals)
            .onChange(of: seat.news) { _, now in AccessibilityNotification.Announcement(say(now.said)).post() }
            .onChange(of: seat.cursor) { AccessibilityNotification.Announcement(say(seat.underKeys)).post() }
            .onChange(of: table.isThinking, initial: true) { _, now in
                UIApplication.shared.isIdleTimerDisabled = now
            }
            .onDisappear { UIApplication.shared.isIdleTimerDisabled = false }
        }
    }

    /// The board does not scroll: a finger that is dragged on it looks for its move.
    @ViewBuilder private func sides(isWide: Bool) -> some View {
        if isWide {
            HStack(alignment: .top) {
                main.padding().frame(maxWidth: .infinity)
                ScrollView { controls.padding() }.frame(maxWidth: 360)
            }
        } else {
            VStack {
                main.padding(.horizontal).layoutPriority(1)
                ScrollView { controls.padding() }
            }
        }
    }

    private var main: some View {
        VStack {
            Text(say(status(table.session, presentation))).font(.headline)
            BoardView(seat: seat)
        }
    }

    private var controls: some View {
        VStack(spacing: 16) {
            ForEach(seat.asides, id: \.self) { Text(say($0)).font(.subheadline) }
            Picker(say("mode_play"), selection: Binding { @MainActor in table.isReplay } set: { @MainActor in table.replay($0) }) {
                Text(say("mode_play")).tag(false)
                Text(say("mode_replay")).tag(true)
            }
            .pickerStyle(.segmented)
            if table.isReplay { ReplayBar(table: table) } else { MoveButtons(room: room, table: table) }
            Panel(room: room, table: table, presentation: presentation)
            if let record = table.record(you: say("you"), ai: say("ai")) {
                ShareLink(say("share_game"), item: record)
            }
        }
    }
}

/// What a person can do beside moving.
private struct MoveButtons: View {
    let room: Room
    let table: AzxPlay.Table
    @SwiftUI.State private var isResigning = false

    var body: some View {
        ViewThatFits {
            HStack { buttons }
            VStack { buttons }
        }
        .buttonStyle(.bordered)
        .confirmationDialog(say("resign_ask"), isPresented: $isResigning, titleVisibility: .visible) {
            Button(say("resign"), role: .destructive, action: table.resign)
        }
    }

    @ViewBuilder private var buttons: some View {
        if passOf(table.session.latest) != nil {
            Button(say("pass"), action: table.pass).disabled(!table.canPlay)
        }
        if table.isScoring {
            Button(say("agree"), action: table.agree).buttonStyle(.borderedProminent)
            Button(say("play_on"), action: table.playOn)
        }
        if table.canEstimate {
            Button(say("estimate"), action: table.estimate)
        }
        Button(say("undo"), action: table.undo).disabled(!table.session.canUndo)
        if room.hasPolicy {
            Button(say("hint"), action: table.hint).disabled(!table.canPlay)
        }
        if table.isThinking {
            Button(say("stop"), action: table.stop)
        }
        if table.canResign {
            Button(say("resign")) { isResigning = true }
        }
        Button(say("new_game"), action: table.restart).buttonStyle(.borderedProminent)
    }
}
