import AzxBundle
import AzxCoreML
import AzxNetwork
import AzxScreens
import SwiftUI

/// The games, installed ones and those that a person has opened, each to be played, gone on with, or tested.
struct GamesList: View {
    let store: Store
    let given: GivenBundles
    @SwiftUI.State private var games = Games()
    @AppStorage("units") private var units = Units.cpu.rawValue

    var body: some View {
        NavigationStack {
            list
                .navigationTitle(say("games"))
                .toolbar {
                    NavigationLink(say("app_settings")) { SettingsScreen() }
                    NavigationLink(say("open_game")) {
                        OpenGameScreen(store: store, given: given, units: Units(rawValue: units) ?? .cpu)
                    }
                    NavigationLink(say("open_bundle")) { OpenBundleScreen(store: store, given: given) }
                    Picker(say("runs_on"), selection: $units) {
                        ForEach(CoreMLEvaluator.offered, id: \.rawValue) { Text(say($0.phrase)).tag($0.rawValue) }
                    }
                }
                .onAppear { games.read(store, given, keeping: UserDefaults.standard) }
        }
    }

    /// Where there are many, by game, with a field to find one.
    private var many: some View {
        let groups = games.groups { say($0) }
        return List {
            if games.areMany { TextField(say("find_bundle"), text: $games.sought) }
            if groups.isEmpty { Text(say("none_found")) }
            ForEach(groups) { group in
                if let title = group.title {
                    Section(say(title)) { cards(group) }
                } else {
                    cards(group)
                }
            }
        }
    }

    private func cards(_ group: Games.Group) -> some View {
        ForEach(group.cards) { CardView(card: $0, units: Units(rawValue: units) ?? .cpu) }
    }

    @ViewBuilder private var list: some View {
        if let failure = games.failure {
            FailureView(title: say("index_damaged"), sentence: say(failure))
        } else if games.cards.isEmpty {
            FailureView(title: say("no_games_title"), sentence: say("no_games"))
        } else {
            many
        }
    }
}

/// One game of the list.
private struct CardView: View {
    let card: Games.Card
    let units: Units

    var body: some View {
        let name = title(of: card.entry)
        VStack(alignment: .leading, spacing: 8) {
            // Grey, as its name is no offer to play.
            Text(name).font(.headline).foregroundStyle(card.canPlay ? Color.primary : Color.secondary)
            Group {
                if card.isGiven { Text(say("own_on_device")) }
                if let parameters = card.parameters { Text(say("parameters", parameters)) }
                if let doubt = card.doubt { Text(say(doubt)) }
                if card.isUnderWay { Text(say("game_in_progress")) }
                if let finished = card.finished { Text(say(finished)) }
            }
            .font(.subheadline)
            .foregroundStyle(.secondary)
            if let why = card.why { Text(say(why)).font(.subheadline) }
            buttons(name)
        }
        .padding(.vertical, 4)
    }

    private func buttons(_ name: String) -> some View {
        HStack {
            if card.canPlay {
                NavigationLink(say(card.isUnderWay ? "resume_game" : "play")) {
                    BoardScreen(entry: card.entry, store: card.store, units: units)
                }
                .accessibilityLabel(card.isUnderWay ? say("resume_label", name) : say("play_label", name))
            }
            if card.canTest {
                NavigationLink(say("self_test")) {
                    SelfTestScreen(entry: card.entry, store: card.store, proof: card.proof)
                }
                .accessibilityLabel(say("self_test_label", name))
            }
        }
        // In a list a row is one button unless its buttons say that they are such.
        .buttonStyle(.bordered)
    }
}
