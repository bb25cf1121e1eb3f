import AzxPlay
import AzxScreens
import SwiftUI

/// A walk through the game's positions, and what is tried out from there.
struct ReplayBar: View {
    let room: Room
    let seat: Seat

    var body: some View {
        VStack {
            PlySlider(seat: seat)
            HStack { ReplaySteps(table: seat.table) }
            ButtonRow(isLine: false) { ReplayButtons(room: room, seat: seat) }
        }
    }
}

/// The way from the first position to the last.
struct PlySlider: View {
    let seat: Seat

    var body: some View {
        let session = seat.table.session
        Slider(
            value: Binding { Double(session.ply) } set: { @MainActor in seat.slide(to: Int($0.rounded())) },
            in: Double(session.setUp)...Double(max(session.setUp + 1, session.moves)), step: 1
        ) {
            Text(say("move_slider"))
        }
        .accessibilityValue(say(session.place))
        .disabled(session.moves == session.setUp)
    }
}

/// The same way, step by step.
struct ReplaySteps: View {
    let table: AzxPlay.Table

    var body: some View {
        let (ply, moves) = (table.session.ply, table.session.moves)
        step("backward.end", "first_position", to: 0)
        step("chevron.backward", "one_back", to: ply - 1)
        Text(say(table.place)).monospacedDigit()
        step("chevron.forward", "one_on", to: ply + 1)
        step("forward.end", "last_position", to: moves)
    }

    private func step(_ image: String, _ key: String, to moves: Int) -> some View {
        Button {
            table.show(at: moves)
        } label: {
            Image(systemName: image).frame(minWidth: 44, minHeight: 44)
        }
        // A frame around each would leave the line no room for other buttons.
        .buttonStyle(.borderless)
        .accessibilityLabel(say(key))
    }
}

/// The next act, a hint, the way back from a line, and a game that continues from here.
struct ReplayButtons: View {
    let room: Room
    let seat: Seat

    private var table: AzxPlay.Table { seat.table }

    var body: some View {
        let act = table.panel.act
        PrimaryButtonView(seat: seat)
        if table.canRetry, act != .tryAgain { Button(say("retry"), action: table.tryAgain) }
        if table.hasMistakes, !table.isTrying, act != .nextMistake {
            Button(say("next_mistake"), action: table.showNextMistake)
        }
        if room.hasPolicy { Button(say("hint"), action: seat.hint).disabled(!table.canHint) }
        if table.canTakeBack { Button(say("take_back"), action: table.takeBack) }
        if table.isBesideGame, act != .toGame { Button(say("to_game"), action: table.toGame) }
        if table.canPlayFromHere, act != .playOn { Button(say("play_from_here"), action: table.playFromHere) }
    }
}

/// The one primary button of a table.
struct PrimaryButtonView: View {
    let seat: Seat

    var body: some View {
        if let primary = seat.primary {
            Button(say(primary.title)) { seat.perform(primary.act) }
                .buttonStyle(.borderedProminent)
        }
    }
}
