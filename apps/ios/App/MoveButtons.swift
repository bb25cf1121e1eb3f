import AzxPlay
import AzxScreens
import SwiftUI

/// What a person can do beside moving; in a game that is watched, the pace of the moves.
struct MoveButtons: View {
    let room: Room
    let seat: Seat
    let presentation: Presentation
    @SwiftUI.State private var isResigning = false

    private var table: AzxPlay.Table { seat.table }
    private var isOver: Bool { table.outcome(presentation) != nil }

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
        if table.session.isWatched { WatchBar(table: table) } else { own }
        if !isOver {
            Button(say("new_game"), action: seat.restart).buttonStyle(.borderedProminent)
        }
    }

    @ViewBuilder private var own: some View {
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
        if room.hasPolicy, !isOver {
            Button(say("hint"), action: table.hint).disabled(!table.canHint)
        }
        if table.isThinking {
            Button(say("stop"), action: table.stop)
        }
        if table.canResign {
            Button(say("resign")) { isResigning = true }
        }
    }
}

/// Pause, one move, and how fast a game goes that the network plays against itself.
private struct WatchBar: View {
    let table: AzxPlay.Table

    var body: some View {
        if table.session.phase == .theirs {
            Button(say(table.isPaused ? "watch_on" : "pause")) { table.pause(!table.isPaused) }
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
