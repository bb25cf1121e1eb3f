import AzxPlay
import AzxScreens
import SwiftUI

/// A table: the board, what is said of the game, and the controls, beside each other where there is room.
struct TableView: View {
    let room: Room
    let seat: Seat
    let presentation: Presentation
    @Environment(\.dynamicTypeSize) private var textSize

    private var table: AzxPlay.Table { seat.table }

    var body: some View {
        content
            .sheet(isPresented: hasTerms) { TermsView(room: room, seat: seat).presentationDetents([.medium, .large]) }
    }

    @ViewBuilder private var content: some View {
        if let complaint = table.complaint {
            FailureView(title: say("went_wrong"), sentence: say(complaint))
            Button(say("new_game"), action: seat.restart).buttonStyle(.borderedProminent)
        } else {
            GeometryReader { geometry in
                sides(layout(geometry.size))
            }
            // A hand feels the moves of a game that it plays.
            .sensoryFeedback(.impact, trigger: table.session.moves) { _, _ in !table.session.isWatched }
            .sensoryFeedback(.error, trigger: seat.refusals)
            .onChange(of: seat.heard) { _, now in
                if let now, appSettings.preferences.hasSound { speaker.play(now.tone) }
            }
            .onChange(of: seat.news) { _, now in AccessibilityNotification.Announcement(say(now.said)).post() }
            .onChange(of: table.scoreboard) { _, now in
                if let now { AccessibilityNotification.Announcement(say(now.said)).post() }
            }
            .onChange(of: seat.cursor) { AccessibilityNotification.Announcement(say(seat.underKeys)).post() }
        }
    }

    private var hasTerms: Binding<Bool> {
        Binding { @MainActor in seat.terms != nil } set: { @MainActor in if !$0 { seat.terms = nil } }
    }

    private func layout(_ room: CGSize) -> TableLayout {
        let ratio = table.board.map { $0.width / $0.height } ?? 1
        return TableLayout(width: room.width, height: room.height, text: TextSize(textSize), ratio: ratio)
    }

    @ViewBuilder private func sides(_ layout: TableLayout) -> some View {
        if layout.isWide {
            HStack(alignment: .top, spacing: 0) {
                main(layout).padding(.horizontal, TableLayout.margin).frame(maxWidth: .infinity)
                scrolled(layout).frame(width: layout.controls.width)
            }
        } else {
            VStack(spacing: 0) {
                main(layout).padding(.horizontal, TableLayout.margin)
                scrolled(layout)
            }
        }
    }

    private func main(_ layout: TableLayout) -> some View {
        VStack(spacing: TableLayout.gap) {
            if !layout.headScrolls { head(layout) }
            if room.hasValue { EvaluationBar(table: table, game: presentation.game, width: layout.board.width) }
            BoardView(seat: seat).frame(width: layout.board.width, height: layout.board.height)
        }
    }

    private func scrolled(_ layout: TableLayout) -> some View {
        ScrollView {
            VStack(spacing: 16) {
                if layout.headScrolls { head(layout) }
                controls
            }
            .padding()
        }
    }

    /// Who plays, and how the game is.
    @ViewBuilder private func head(_ layout: TableLayout) -> some View {
        if layout.stacksChips { VStack { players } } else { HStack { players } }
        Text(say(table.headline(presentation))).font(.headline)
    }

    private var players: some View {
        ForEach(chips(table, presentation)) { ChipView(chip: $0, game: presentation.game) }
    }

    private var isReplay: Binding<Bool> {
        Binding { @MainActor in table.isReplay } set: { @MainActor in table.replay($0) }
    }

    private var controls: some View {
        VStack(spacing: 16) {
            if let outcome = table.outcome(presentation) { OutcomeView(table: table, outcome: outcome) }
            if let score = table.scoreboard { ScoreboardView(table: table, score: score) }
            if room.isComing { ProgressView(say("opening")) }
            ForEach(seat.asides, id: \.self) { Text(say($0)).font(.subheadline) }
            if !table.session.isRead {
                Picker(say("mode_play"), selection: isReplay) {
                    Text(say("mode_play")).tag(false)
                    Text(say("mode_replay")).tag(true)
                }
                .pickerStyle(.segmented)
            }
            if table.isReplay {
                ReplayBar(room: room, seat: seat)
            } else {
                MoveButtons(room: room, seat: seat, presentation: presentation)
            }
            AboutView(table: table)
            MovesView(table: table)
            if let candidates = table.candidates { CandidatesView(candidates: candidates, worth: table.worthHeading) }
            if let review = table.review(presentation, hasValue: room.hasValue) {
                ReviewView(table: table, review: review)
            }
            Panel(room: room, seat: seat, presentation: presentation)
            if let record = table.record(you: say("you"), ai: say("ai")) {
                ShareLink(say("share_game"), item: record)
            }
        }
    }
}

extension TextSize {
    /// The size that somebody has chosen in the system; the usual one for one that a later system may have.
    init(_ size: DynamicTypeSize) {
        self =
            switch size {
            case .xSmall: .xSmall
            case .small: .small
            case .medium: .medium
            case .large: .large
            case .xLarge: .xLarge
            case .xxLarge: .xxLarge
            case .xxxLarge: .xxxLarge
            case .accessibility1: .accessibility1
            case .accessibility2: .accessibility2
            case .accessibility3: .accessibility3
            case .accessibility4: .accessibility4
            case .accessibility5: .accessibility5
            @unknown default: .large
            }
    }
}
