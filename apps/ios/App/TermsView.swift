import AzxBundle
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

    /// The exact strengths are in a group that is closed at first.
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

/// The terms of networks that play each other: a network and a level for each side, and the number of games.
private struct SidesView: View {
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

/// The eight levels, each a step that is as wide as the others, and what the chosen strength is called.
private struct StrengthSteps: View {
    let steps: [LevelStep]
    let chosen: Strength
    let choose: (Strength) -> Void

    var body: some View {
        HStack(spacing: 4) {
            ForEach(steps) { button($0) }
        }
        Text(say(chosen.phrase)).font(.subheadline)
    }

    private func button(_ step: LevelStep) -> some View {
        Button {
            choose(step.strength)
        } label: {
            Text(say(.whole(step.id)))
                .frame(maxWidth: .infinity, minHeight: 44)
                // All of the step can be touched, and not its number alone.
                .contentShape(Rectangle())
                .border(step.isChosen ? Color.accentColor : Color.secondary.opacity(0.3), width: step.isChosen ? 2 : 1)
        }
        // In a form a row is one button unless its buttons say that they are such.
        .buttonStyle(.borderless)
        .accessibilityLabel(say(step.strength.phrase))
        .accessibilityAddTraits(step.isChosen ? .isSelected : [])
    }
}

/// A strength as a row of a form, with a mark if it is the chosen one.
private struct StrengthRow: View {
    let strength: Strength
    let isChosen: Bool
    let choose: (Strength) -> Void

    var body: some View {
        Button {
            choose(strength)
        } label: {
            HStack {
                Text(say(strength.phrase))
                Spacer()
                if isChosen { Image(systemName: "checkmark").accessibilityHidden(true) }
            }
        }
        .accessibilityAddTraits(isChosen ? .isSelected : [])
    }
}
