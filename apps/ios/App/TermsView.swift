import AzxPlay
import AzxScreens
import SwiftUI

/// What is asked before a new game: how strong the network is, first of all, who begins, and by which settings.
struct TermsView: View {
    let room: Room
    @Bindable var seat: Seat

    var body: some View {
        Form {
            Text(say(seat.question)).font(.headline)
            if !seat.asksSides { Section(say("strength")) { strength } }
            LabelledPicker(title: say("who_begins"), selection: term(\.begins)) {
                ForEach(Begins.allCases, id: \.self) { Text(say($0.phrase)) }
            }
            if seat.asksSides, let sides = seat.sides { SidesView(seat: seat, sides: sides) }
            if !seat.komis.isEmpty { komi }
            if let rule = seat.otherRule { Toggle(say(rule), isOn: $seat.isOtherRule) }
            Button(say("play"), action: seat.begin)
            Button(say("cancel"), role: .cancel) { seat.terms = nil }
            if seat.keepsGame { Text(say("new_game_keeps")).font(.footnote).foregroundStyle(.secondary) }
        }
    }

    private var komi: some View {
        LabelledPicker(title: say("komi"), selection: $seat.komi) {
            ForEach(seat.komis, id: \.self) { Text(say(.number($0))).tag(Optional($0)) }
        }
    }

    /// The exact strengths are there for who looks for them.
    @ViewBuilder private var strength: some View {
        StrengthSteps(steps: seat.levelSteps, chosen: chosen, choose: choose)
        DisclosureGroup(say("strength_exact")) {
            ForEach(seat.exactStrengths(of: room.strengths), id: \.self) {
                StrengthRow(strength: $0, isChosen: $0 == chosen, choose: choose)
            }
        }
    }

    private func choose(_ strength: Strength) { seat.terms?.strength = strength }

    private var chosen: Strength { (seat.terms ?? seat.table.choices).strength }

    private func term<Chosen>(_ path: WritableKeyPath<Choices, Chosen>) -> Binding<Chosen> {
        Binding { @MainActor in
            (seat.terms ?? seat.table.choices)[keyPath: path]
        } set: { @MainActor in
            seat.terms?[keyPath: path] = $0
        }
    }
}
