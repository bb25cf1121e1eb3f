import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import AzxScreens
import SwiftUI

/// Milliseconds for the clock of two people; they stand still with the device.
@MainActor func milliseconds() -> Int { Int(beginning.duration(to: .now) / .milliseconds(1)) }

private let beginning = SuspendingClock.now

/// A game of two people at this device; before it begins, what they agree on.
struct PeopleScreen: View {
    let store: Store
    let given: GivenBundles
    let game: String?
    let go: (Place) -> Void
    @SwiftUI.State private var people: People
    @SwiftUI.State private var isResigning = false
    @Environment(\.scenePhase) private var scenePhase

    /// `game` is the entry of the library that goes on; `from` a position that was set up.
    init(store: Store, given: GivenBundles, from: Position? = nil, game: String? = nil, go: @escaping (Place) -> Void) {
        (self.store, self.given, self.game, self.go) = (store, given, game, go)
        _people = SwiftUI.State(wrappedValue: People(from: from, in: library) { milliseconds() })
    }

    var body: some View {
        content
            .navigationTitle(people.table == nil ? say("people_here") : say(people.presentation.title))
            .navigationBarTitleDisplayMode(.inline)
            .task { if let game { await people.open(game) } }
            .task { await tick() }
            .onAppear { people.table?.enter() }
            .onDisappear { people.table?.leave() }
            .onChange(of: scenePhase, initial: true) { _, now in
                if now == .active { people.table?.enter() } else { people.table?.leave() }
            }
    }

    /// Let time go by for as long as the screen is there.
    private func tick() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(0.2))
            people.table?.tick()
        }
    }

    @ViewBuilder private var content: some View {
        if people.isDamaged {
            FailureView(title: say("cannot_open"), sentence: say("library_damaged"))
        } else if let table = people.table, let board = people.board {
            sitting(table, board)
        } else if game == nil || people.hasBegun {
            terms
        } else {
            ProgressView(say("opening"))
        }
    }

    // MARK: What they agree on

    private var terms: some View {
        Form {
            if people.from == nil {
                LabelledPicker(title: say("game"), selection: chosenGame) {
                    ForEach(Game.games.map(\.name), id: \.self) { Text(say(Presentation($0).title)).tag($0) }
                }
                ForEach(people.choices, id: \.name) { choice($0) }
            }
            ForEach([0, 1], id: \.self) { player in
                TextField(say("people_name", say(Presentation(people.game.name).pieces[player])), text: $people.agreed.names[player])
            }
            LabelledPicker(title: say("people_undo"), selection: $people.agreed.isUndoAsked) {
                ForEach([false, true], id: \.self) { Text(say(.opening(.words($0 ? "people_undo_asked" : "people_undo_free")))).tag($0) }
            }
            LabelledPicker(title: say("clock"), selection: $people.agreed.minutes) {
                ForEach(Agreed.minutes, id: \.self) { Text($0 == 0 ? say(.opening(.words("clock_none"))) : say("clock_minutes", $0)).tag($0) }
            }
            if people.agreed.minutes > 0 {
                LabelledPicker(title: say("clock_increment"), selection: $people.agreed.increment) {
                    ForEach(Agreed.seconds, id: \.self) { Text(say("strength_seconds", $0)).tag($0) }
                }
            }
            Button(say("play"), action: people.begin).buttonStyle(.borderedProminent)
            if people.from == nil { Button(say("set_up")) { go(people.emptyBoard) } }
        }
    }

    private var chosenGame: Binding<String> {
        Binding { @MainActor in people.game.name } set: { @MainActor in people.choose($0) }
    }

    private func choice(_ setting: AzxEngine.Setting) -> some View {
        let chosen = Binding { @MainActor in
            people.value(setting).description
        } set: { @MainActor in
            people.settings[setting.name] = .text($0)
        }
        return LabelledPicker(title: say(people.title(of: setting)), selection: chosen) {
            ForEach(setting.choices.map(\.description), id: \.self) { Text(say(people.called($0, setting))).tag($0) }
        }
    }

    // MARK: The game

    private func sitting(_ table: SharedTable, _ board: any AzxDrawing.Board) -> some View {
        ScrollView {
            VStack(spacing: TableLayout.gap) {
                if let score = people.score { Text(score).font(.largeTitle).bold().monospacedDigit() }
                if let headline = people.headline {
                    Text(say(headline)).font(people.isResult && people.score == nil ? .largeTitle : .headline)
                }
                HStack { ForEach(people.chips) { chip($0) } }
                SharedBoard(board: board, lift: people.lift, choose: { table.play(board.action(of: $0)) })
                ForEach(people.asides, id: \.self) { Text(say($0)) }
                buttons(table)
                walk(table)
                if table.session.setUp > 0 { Text(say("stones_set_up")).font(.footnote) }
                if let text = table.text { ShareLink(say("share_game"), item: text) }
            }
            .padding()
        }
    }

    private func chip(_ chip: Chip) -> some View {
        VStack {
            ChipView(chip: chip, game: people.presentation.game)
            if let left = people.clock(of: chip.player) {
                SwiftUI.Text(left).font(.headline).monospacedDigit()
                    .accessibilityLabel(say("clock_left", say(chip.who), left))
            }
        }
    }

    /// One of them is the primary one: what is next.
    @ViewBuilder private func buttons(_ table: SharedTable) -> some View {
        if table.shared.asker != nil {
            ButtonRow(isLine: false) {
                Button(say("undo_refuse")) { table.answer(false) }
                Button(say("undo_agree")) { table.answer(true) }.buttonStyle(.borderedProminent)
            }
        } else if table.isScoring {
            ButtonRow(isLine: false) {
                Button(say("play_on"), action: table.playOn)
                Button(say("agree"), action: table.settle).buttonStyle(.borderedProminent)
            }
        } else if table.session.phase == .over {
            ButtonRow(isLine: false) {
                Button(say("new_game"), action: people.anew)
                Button(say("review")) { Task { if let place = await people.review(store, given) { go(place) } } }
                Button(say("rematch"), action: people.rematch).buttonStyle(.borderedProminent)
            }
        } else {
            ButtonRow(isLine: false) {
                if passOf(table.session.latest) != nil { Button(say("pass"), action: table.pass).disabled(!table.canPlay) }
                Button(say("undo"), action: table.undo).disabled(!table.canUndo)
                Button(say("resign")) { isResigning = true }
                    .confirmationDialog(
                        say("resign_ask_of", say(.opening(people.name(table.session.latest.toMove)))), isPresented: $isResigning,
                        titleVisibility: .visible
                    ) { Button(say("resign"), role: .destructive, action: table.resign) }
            }
        }
    }

    private func walk(_ table: SharedTable) -> some View {
        let session = table.session
        return ButtonRow(isLine: false) {
            Button(say("one_back")) { table.show(session.ply - 1) }.disabled(session.ply == session.setUp)
            Text(say("move_of", session.ply - session.setUp, session.moves - session.setUp))
            Button(say("one_on")) { table.show(session.ply + 1) }.disabled(session.isAtEnd)
        }
    }
}
