import AzxBundle
import AzxPlay
import AzxScreens
import SwiftUI

/// Who plays whom where networks play each other: a network and a level for each side, and how many games.
struct SidesView: View {
    let seat: Seat
    let sides: SeriesChoice

    var body: some View {
        ForEach([0, 1], id: \.self) { side in
            Section(say(side == 0 ? "series_first" : "series_second")) { choices(side) }
        }
        Section(say("series_games")) {
            Picker(say("series_games"), selection: choice(\.count)) {
                ForEach(Round.counts, id: \.self) { Text(say(.whole($0))) }
            }
            .pickerStyle(.segmented)
            if let about = seat.aboutOpenings { Text(say(about)).font(.footnote).foregroundStyle(.secondary) }
        }
    }

    @ViewBuilder private func choices(_ side: Int) -> some View {
        if seat.players.count > 1 {
            LabelledPicker(title: say("series_network"), selection: choice(\.bundles[side])) {
                ForEach(seat.players, id: \.entry.name) { Text(say(seat.nameOfNetwork($0))) }
            }
        }
        StrengthSteps(steps: seat.levelSteps(of: side), chosen: sides.strengths[side]) { seat.sides?.strengths[side] = $0 }
        if let exact = seat.exactStrength(of: side) {
            StrengthRow(strength: exact, isChosen: sides.strengths[side] == exact) { seat.sides?.strengths[side] = $0 }
        }
    }

    private func choice<Chosen>(_ path: WritableKeyPath<SeriesChoice, Chosen>) -> Binding<Chosen> {
        Binding { @MainActor in
            (seat.sides ?? sides)[keyPath: path]
        } set: { @MainActor in
            seat.sides?[keyPath: path] = $0
        }
    }
}
