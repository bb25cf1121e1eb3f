import AzxPlay
import AzxScreens
import SwiftUI

/// The buttons beside the board; in a watched game the pace of the moves. The next sensible act comes first, as the primary
/// button. A phone's one line leaves seldom used buttons to its tabs.
struct MoveButtons: View {
    let room: Room
    let seat: Seat
    let outcome: Outcome?
    let isLine: Bool

    private var table: AzxPlay.Table { seat.table }

    var body: some View {
        if isLine || outcome == nil { PrimaryButtonView(seat: seat) }
        if isLine, let outcome { OutcomeButtons(seat: seat, outcome: outcome) }
        if table.session.isWatched { WatchBar(table: table) } else { own }
        if outcome == nil {
            Button(say("new_game"), action: seat.restart)
        }
    }

    @ViewBuilder private var own: some View {
        if passOf(table.session.latest) != nil, !(isLine && outcome != nil) {
            Button(say("pass"), action: table.pass).disabled(!table.canPlay)
        }
        if table.isScoring { Button(say("play_on"), action: table.playOn) }
        if !isLine { EstimateButton(table: table) }
        Button(say("undo"), action: table.undo).disabled(!table.session.canUndo)
        if room.hasPolicy, outcome == nil {
            Button(say("hint"), action: seat.hint).disabled(!table.canHint)
        }
        if !isLine { ResignButton(table: table) }
    }
}

/// Estimates the points of a game that has some.
struct EstimateButton: View {
    let table: AzxPlay.Table

    var body: some View {
        if table.canEstimate { Button(say("estimate"), action: table.estimate) }
    }
}

/// Gives a game up, after a question.
struct ResignButton: View {
    let table: AzxPlay.Table
    @SwiftUI.State private var isAsking = false

    var body: some View {
        if table.canResign {
            Button(say("resign")) { isAsking = true }
                .confirmationDialog(say("resign_ask"), isPresented: $isAsking, titleVisibility: .visible) {
                    Button(say("resign"), role: .destructive, action: table.resign)
                }
        }
    }
}

/// One move, and how fast a game goes that the network plays against itself.
private struct WatchBar: View {
    let table: AzxPlay.Table

    var body: some View {
        if table.session.phase == .theirs {
            Button(say("step"), action: table.step).disabled(!table.isPaused)
            LabelledPicker(title: say("speed"), selection: pace) {
                ForEach(Pace.allCases, id: \.self) { Text(say($0.phrase)) }
            }
        }
    }

    private var pace: Binding<Pace> {
        Binding { @MainActor in
            table.choices.pace
        } set: { @MainActor in
            var choices = table.choices
            choices.pace = $0
            table.choose(choices)
        }
    }
}
