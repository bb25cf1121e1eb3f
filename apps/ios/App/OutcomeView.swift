import AzxPlay
import AzxScreens
import SwiftUI

/// The card at the end of a game: the result, why, and what to do next.
struct OutcomeView: View {
    let seat: Seat
    let outcome: Outcome

    var body: some View {
        VStack {
            Text(say(outcome.result)).font(.headline)
            if let why = outcome.why { Text(say(why)).font(.subheadline) }
            ButtonRow(isLine: false) { OutcomeButtons(seat: seat, outcome: outcome) }
        }
        .padding()
        .frame(maxWidth: .infinity)
        .border(Color.accentColor, width: 2)
    }
}

/// What to do once a game is over.
struct OutcomeButtons: View {
    let seat: Seat
    let outcome: Outcome

    var body: some View {
        Button(say("new_game"), action: seat.table.restart)
        if outcome.canSwap { Button(say("swap_sides"), action: seat.table.swapSides) }
        Button(say("mode_replay"), action: seat.lookAgain)
    }
}
