import AzxPlay
import AzxScreens
import SwiftUI

/// The card at the end of a game: the score, large, who has won and why, and what to do next.
struct OutcomeView: View {
    let seat: Seat
    let outcome: Outcome
    /// Whether its buttons are here; a phone has them in its line.
    let hasButtons: Bool

    var body: some View {
        VStack {
            if let score = outcome.score {
                Text(score).font(.largeTitle).bold().monospacedDigit()
                Text(say(outcome.result)).font(.headline)
            } else {
                Text(say(outcome.result)).font(.largeTitle).bold()
            }
            if let why = outcome.why { Text(say(why)).font(.subheadline) }
            if hasButtons {
                ButtonRow(isLine: false) {
                    PrimaryButtonView(seat: seat)
                    OutcomeButtons(seat: seat, outcome: outcome)
                }
            }
        }
        .padding()
        .frame(maxWidth: .infinity)
        .border(Color.accentColor, width: 2)
    }
}

/// What else to do once a game is over; the primary button is a review or a rematch.
struct OutcomeButtons: View {
    let seat: Seat
    let outcome: Outcome

    var body: some View {
        let act = seat.table.panel.act
        if act != .review { Button(say("review"), action: seat.lookAgain) }
        if act != .rematch { Button(say("rematch"), action: seat.table.restart) }
        if outcome.canSwap { Button(say("swap_sides"), action: seat.table.swapSides) }
        Button(say("new_game"), action: seat.restart)
    }
}
