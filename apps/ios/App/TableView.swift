import AzxPlay
import AzxScreens
import SwiftUI

/// A table: the board, what is said of the game, and the controls, beside each other where there is room.
struct TableView: View {
    let room: Room
    let seat: Seat
    let presentation: Presentation
    @SwiftUI.State private var speaker = Speaker()

    private var table: AzxPlay.Table { seat.table }

    var body: some View {
        content
            .confirmationDialog(
                seat.question.map { say($0.title) } ?? "", isPresented: isAsked, titleVisibility: .visible,
                presenting: seat.question
            ) { asked in
                Button(say(asked.yes), role: .destructive) { seat.answer(true) }
                Button(say(asked.no), role: .cancel) { seat.answer(false) }
            } message: {
                Text(say($0.about))
            }
    }

    @ViewBuilder private var content: some View {
        if let complaint = table.complaint {
            FailureView(title: say("went_wrong"), sentence: say(complaint))
            Button(say("new_game"), action: seat.restart).buttonStyle(.borderedProminent)
        } else {
            GeometryReader { geometry in
                sides(isWide: geometry.size.width > geometry.size.height)
            }
            // A hand feels the moves of a game that it plays.
            .sensoryFeedback(.impact, trigger: table.session.moves) { _, _ in !table.session.isWatched }
            .sensoryFeedback(.error, trigger: seat.refusals)
            .onChange(of: seat.heard) { _, now in
                if let now, appSettings.preferences.hasSound { speaker.play(now.tone) }
            }
            .onChange(of: seat.news) { _, now in AccessibilityNotification.Announcement(say(now.said)).post() }
            .onChange(of: seat.cursor) { AccessibilityNotification.Announcement(say(seat.underKeys)).post() }
            .onChange(of: table.isThinking, initial: true) { _, now in
                UIApplication.shared.isIdleTimerDisabled = now
            }
            .onDisappear { UIApplication.shared.isIdleTimerDisabled = false }
        }
    }

    private var isAsked: Binding<Bool> {
        // Whoever taps beside the question goes on as it was.
        Binding { @MainActor in seat.question != nil } set: { @MainActor in if !$0 { seat.answer(false) } }
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

    private var isReplay: Binding<Bool> {
        Binding { @MainActor in table.isReplay } set: { @MainActor in table.replay($0) }
    }

    private var main: some View {
        VStack {
            HStack {
                ForEach(chips(table, presentation)) { ChipView(chip: $0, game: presentation.game) }
            }
            Text(say(table.headline(presentation))).font(.headline)
            BoardView(seat: seat)
        }
    }

    private var controls: some View {
        VStack(spacing: 16) {
            if let outcome = table.outcome(presentation) { OutcomeView(table: table, outcome: outcome) }
            ForEach(seat.asides, id: \.self) { Text(say($0)).font(.subheadline) }
            Picker(say("mode_play"), selection: isReplay) {
                Text(say("mode_play")).tag(false)
                Text(say("mode_replay")).tag(true)
            }
            .pickerStyle(.segmented)
            if table.isReplay {
                ReplayBar(room: room, seat: seat)
            } else {
                MoveButtons(room: room, seat: seat, presentation: presentation)
            }
            if let candidates = table.candidates { CandidatesView(candidates: candidates) }
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
