import AzxPlay
import AzxScreens
import SwiftUI

/// What the network has found, and the chances.
struct ThoughtView: View {
    let table: AzxPlay.Table
    let presentation: Presentation

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            line("simulations", table.progress.map { say(.whole($0.simulations)) })
            line("depth", table.progress.map { say(.whole($0.depth)) })
            line("win_rate", table.winRate.map { say(.percent($0)) })
            WinRateGraph(table: table, chances: Chances(table, presentation))
        }
    }

    private func line(_ key: String, _ value: String?) -> some View {
        LabeledContent(say(key), value: value ?? say("unknown"))
    }
}

/// What a person chooses for the table, and what runs its network.
struct ChoicesView: View {
    let room: Room
    let seat: Seat

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Divider()
            Text(say("settings")).font(.headline)
            LabelledPicker(title: say("strength"), selection: choice(\.strength)) {
                ForEach(room.strengths, id: \.self) { Text(say($0.phrase)) }
            }
            LabelledPicker(title: say("who_begins"), selection: choice(\.begins)) {
                ForEach(Begins.allCases, id: \.self) { Text(say($0.phrase)) }
            }
            if room.hasPolicy {
                Toggle(say("always_heat"), isOn: choice(\.alwaysHeat))
            }
            Text(room.runtime ?? "").font(.footnote).foregroundStyle(.secondary)
        }
    }

    private func choice<Chosen>(_ path: WritableKeyPath<Choices, Chosen>) -> Binding<Chosen> {
        Binding { @MainActor in
            seat.table.choices[keyPath: path]
        } set: { @MainActor in
            var choices = seat.table.choices
            choices[keyPath: path] = $0
            seat.table.choose(choices)
        }
    }
}
