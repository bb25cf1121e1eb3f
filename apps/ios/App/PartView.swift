import AzxPlay
import AzxScreens
import SwiftUI

/// A part of a table beside the board and its players; nothing if there is nothing to say or to choose.
struct PartView: View {
    let part: Part
    let room: Room
    let seat: Seat
    let presentation: Presentation
    let isPhone: Bool

    private var table: AzxPlay.Table { seat.table }
    private var outcome: Outcome? { table.outcome(presentation) }

    // In groups, each of which the compiler checks by itself.

    var body: some View {
        switch part {
        case .outcome, .score, .notes, .modes, .actions: game
        case .slider, .comment, .facts, .moves: record
        case .candidates, .verdict, .review, .estimate, .thought: analysis
        case .choices, .resign, .share: choices
        }
    }

    @ViewBuilder private var game: some View {
        switch part {
        case .outcome: if let outcome { OutcomeView(seat: seat, outcome: outcome, hasButtons: !isPhone) }
        case .score: if let score = table.scoreboard { ScoreboardView(table: table, score: score) }
        case .notes: notes
        case .modes: if !table.session.isRead { modes }
        default: actions
        }
    }

    @ViewBuilder private var record: some View {
        switch part {
        case .slider: if table.isReplay { PlySlider(seat: seat) }
        case .comment: CommentView(table: table)
        case .facts: FactsView(table: table)
        default: MovesView(table: table, isGrid: isPhone)
        }
    }

    @ViewBuilder private var analysis: some View {
        let review = table.review(presentation, hasValue: room.hasValue)
        switch part {
        case .candidates:
            if let candidates = table.candidates { CandidatesView(candidates: candidates, worth: table.worthHeading) }
        case .verdict: if let sentence = table.sentence(presentation) { Text(say(sentence)).font(.headline) }
        case .review: if let review { ReviewView(table: table, review: review) }
        case .estimate: EstimateButton(table: table).buttonStyle(.bordered)
        default: ThoughtView(table: table, presentation: presentation)
        }
    }

    @ViewBuilder private var choices: some View {
        switch part {
        case .choices: ChoicesView(room: room, seat: seat)
        case .resign: ResignButton(table: table).buttonStyle(.bordered)
        default:
            if let record = table.record(you: say("you"), ai: say("ai")) { ShareLink(say("share_game"), item: record) }
        }
    }

    @ViewBuilder private var notes: some View {
        if room.isComing { ProgressView(say("opening")) }
        ForEach(seat.asides, id: \.self) { Text(say($0)).font(.subheadline) }
    }

    private var modes: some View {
        let isReplay = Binding { @MainActor in table.isReplay } set: { @MainActor in table.replay($0) }
        return Picker(say("mode_play"), selection: isReplay) {
            Text(say("mode_play")).tag(false)
            Text(say("mode_replay")).tag(true)
        }
        .pickerStyle(.segmented)
    }

    @ViewBuilder private var actions: some View {
        if table.isReplay {
            if isPhone {
                ButtonRow(isLine: true) {
                    ReplaySteps(table: table)
                    ReplayButtons(room: room, seat: seat)
                }
            } else {
                ReplayBar(room: room, seat: seat)
            }
        } else {
            ButtonRow(isLine: isPhone) { MoveButtons(room: room, seat: seat, outcome: outcome, isLine: isPhone) }
        }
    }
}

/// Buttons beside each other. If they do not fit, they are below each other, or in one line that scrolls sideways. In a list a
/// row is one button unless its buttons have a style of their own, as these have.
struct ButtonRow<Content: View>: View {
    let isLine: Bool
    @ViewBuilder let content: Content

    var body: some View {
        ViewThatFits(in: .horizontal) {
            HStack { content }
            if isLine {
                ScrollView(.horizontal) { HStack { content } }
            } else {
                VStack { content }
            }
        }
        .buttonStyle(.bordered)
    }
}
