import AzxBundle
import AzxCoreML
import AzxNetwork
import AzxScreens
import SwiftUI

/// The installed games and those that a person has opened; each can be played, continued or tested.
struct GamesList: View {
    let store: Store
    let given: GivenBundles
    @SwiftUI.State private var games = Games()
    @SwiftUI.State private var arrivals: Arrivals
    @AppStorage("units") private var units = Units.cpu.rawValue

    /// Whether the app was ended while it was opening a bundle, which is said once.
    @SwiftUI.State private var wasEnded = OpeningNote(UserDefaults.standard).isLeft
    /// The screens above the list, the last one on top.
    @SwiftUI.State private var path: [Place] = []
    /// Whether a file is held over the app.
    @SwiftUI.State private var isTargeted = false

    init(store: Store, given: GivenBundles) {
        (self.store, self.given) = (store, given)
        let arrivals = Arrivals(store, given, keeping: UserDefaults.standard, in: library)
        _arrivals = SwiftUI.State(wrappedValue: arrivals)
    }

    var body: some View {
        stack
            .overlay { if isTargeted { Text(say("drop_here")).padding().background(.background) } }
            .overlay { if arrivals.isOpening { ProgressView(say("checking_bundle")).padding().background(.background) } }
            .dropDestination(for: DroppedFile.self, action: drop) { isTargeted = $0 }
            .onOpenURL { url in Task { await readOutside(url) { await go([$0]) } } }
            .alert(say(arrivals.title), isPresented: isTold) {} message: { Text(told) }
            .alert(say("open_bundle"), isPresented: isOffered) { offer } message: { Text(offered) }
            .onChange(of: arrivals.count) { Task { await read() } }
    }

    private func drop(_ files: [DroppedFile], _: CGPoint) -> Bool {
        Task {
            await go(files.map(\.copy.url))
            for file in files { file.copy.remove() }
        }
        return !files.isEmpty
    }

    /// Open files; a record's board comes to the front.
    private func go(_ files: [URL]) async {
        if let place = await arrivals.open(files) { path.append(place) }
    }

    private var isOffered: Binding<Bool> {
        Binding { @MainActor in arrivals.offer != nil } set: { @MainActor in if !$0 { arrivals.decline() } }
    }

    private var offered: String { arrivals.offer.map { say("new_network", title(of: $0.entry)) } ?? "" }

    @ViewBuilder private var offer: some View {
        Button(say("play_new_network"), action: take)
        Button(say("cancel"), role: .cancel, action: arrivals.decline)
    }

    /// The new board takes the place of the one that is seen.
    private func take() {
        guard let place = arrivals.take() else { return }
        path = path.dropLast() + [place]
    }

    /// Shown after an offer is answered: an alert does not wait for another one.
    private var isTold: Binding<Bool> {
        Binding { @MainActor in arrivals.offer == nil && !arrivals.told.isEmpty } set: { @MainActor in if !$0 { arrivals.forget() } }
    }

    private var told: String {
        let sentences = arrivals.told.map { told in
            switch told {
            case .opened(let entry): say("bundle_opened", title(of: entry))
            case .imported(let parts): parts.map { say($0) }.joined(separator: " ")
            case .refused(let why): say(why)
            }
        }
        return sentences.joined(separator: "\n")
    }

    private func read() async { await games.read(store, given, keeping: UserDefaults.standard, in: library) }

    private var stack: some View {
        NavigationStack(path: $path) {
            list
                .navigationTitle(say("games"))
                .toolbar { menu }
                .navigationDestination(for: Place.self, destination: { screen($0) })
                // Again when the list comes back, as a game may have been played meanwhile.
                .task { await read() }
                // Without a button of its own an alert has the system's.
                // https://developer.apple.com/documentation/swiftui/view/alert(_:ispresented:actions:message:)
                .alert(say("open_bundle"), isPresented: $wasEnded) {} message: { Text(say("opening_lost")) }
                .onChange(of: wasEnded) { _, now in if !now { OpeningNote(UserDefaults.standard).remove() } }
        }
    }

    private var chosen: Units { Units(kept: units, offered: CoreMLEvaluator.offered) }

    private var choice: Binding<Units> {
        Binding { @MainActor in chosen } set: { @MainActor in units = $0.rawValue }
    }

    /// One symbol in the bar: four texts have no room beside a title on a phone.
    /// https://developer.apple.com/documentation/swiftui/menu
    private var menu: some View {
        Menu {
            item("library", "books.vertical", .library)
            item("open_game", "doc.text", .openGame)
            item("open_bundle", "shippingbox", .openBundle)
            Picker(selection: choice) {
                ForEach(CoreMLEvaluator.offered, id: \.self) { Text(say($0.phrase)) }
            } label: {
                Label(say("runs_on"), systemImage: "cpu")
            }
            // In a menu a picker shows its choices, unless it is a menu of its own.
            .pickerStyle(.menu)
            item("app_settings", "gearshape", .settings)
        } label: {
            Label(say("more"), systemImage: "ellipsis.circle")
        }
        .accessibilityIdentifier("more")
    }

    private func item(_ key: String, _ image: String, _ place: Place) -> some View {
        Button { path.append(place) } label: { Label(say(key), systemImage: image) }
    }

    @ViewBuilder private func screen(_ place: Place) -> some View {
        switch place {
        // A board that takes another one's place is a screen of its own, with a state of its own.
        case .board(let installed, let game):
            BoardScreen(installed, units: chosen, game: game, among: store, given, arrivals).id(place)
        case .newGame(let installed):
            BoardScreen(installed, units: chosen, isNew: true, among: store, given, arrivals).id(place)
        case .people(let from): PeopleScreen(store: store, given: given, from: from, go: { path.append($0) })
        case .shared(let game): PeopleScreen(store: store, given: given, game: game, go: { path.append($0) })
        case .setUp(let position): SetUpScreen(position, store: store, given: given, go: { path.append($0) })
        case .library: LibraryScreen(store: store, given: given, go: { path.append($0) })
        case .selfTest(let entry, let store, let proof): SelfTestScreen(entry: entry, store: store, proof: proof)
        case .openGame: OpenGameScreen(store: store, given: given, units: chosen, arrivals: arrivals)
        case .openBundle: OpenBundleScreen(opener: arrivals.bundles)
        case .settings: SettingsScreen()
        }
    }

    /// Where there are many, by game, with a field to find one.
    private var many: some View {
        let groups = games.groups { say($0) }
        return List {
            item("people_here", "person.2", .people(nil)).accessibilityIdentifier("people")
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
        ForEach(group.cards) { card in
            CardView(card: card, go: { path.append($0) }) { reading in
                path.append(games.choose(reading, for: card, keeping: UserDefaults.standard))
            }
        }
    }

    @ViewBuilder private var list: some View {
        switch games.stage {
        case .reading: ProgressView(say("opening"))
        case .failed(let title, let why): FailureView(title: say(title), sentence: say(why))
        case .empty(let title, let how): nothing(say(title), say(how))
        case .cards: many
        }
    }

    /// An empty list, with the ways to fill it.
    private func nothing(_ title: String, _ how: String) -> some View {
        VStack {
            FailureView(title: title, sentence: how)
            item("open_bundle", "shippingbox", .openBundle).buttonStyle(.borderedProminent).padding()
            // Two people need no network.
            item("people_here", "person.2", .people(nil)).buttonStyle(.bordered).accessibilityIdentifier("people")
        }
    }
}

/// One game of the list.
private struct CardView: View {
    let card: Games.Card
    let go: (Place) -> Void
    let choose: (String?) -> Void
    @SwiftUI.State private var isAsking = false

    var body: some View {
        let name = title(of: card.entry)
        HStack(alignment: .top) {
            if card.canPlay { GamePicture(id: card.underWay?.revision ?? card.id) { await card.picture() } }
            words(name)
        }
        .padding(.vertical, 4)
        .sheet(isPresented: $isAsking) {
            ReadingsView(readings: card.readings) { reading in
                isAsking = false
                if let reading { choose(reading.name) }
            }
            .presentationDetents([.medium, .large])
        }
    }

    private func words(_ name: String) -> some View {
        VStack(alignment: .leading, spacing: 8) {
            // Grey, as its name is no offer to play.
            Text(name).font(.headline).foregroundStyle(card.canPlay ? Color.primary : Color.secondary)
            Group {
                if let file = card.file { Text(verbatim: file) }
                if card.installed.isGiven { Text(say("own_on_device")) }
                if let parameters = card.parameters { Text(say("parameters", parameters)) }
                if let doubt = card.doubt { Text(say(doubt)) }
                if card.isUnderWay { Text(say("game_in_progress")) }
                if let finished = card.finished { Text(say(finished)) }
            }
            .font(.subheadline)
            .foregroundStyle(.secondary)
            if let why = card.why { Text(say(why)).font(.subheadline) }
            if !card.readings.isEmpty {
                Button(say("reading_ask")) { isAsking = true }
                    .buttonStyle(.bordered)
                    .accessibilityLabel(say("two_sentences", "\(name).", say("reading_ask")))
            }
            buttons(name)
        }
    }

    /// Buttons and not links: a row with two links is one button that follows both.
    /// https://developer.apple.com/documentation/swiftui/navigationlink
    private func buttons(_ name: String) -> some View {
        ButtonRow(isLine: false) {
            if card.canPlay {
                Button(say(card.isUnderWay ? "resume_game" : "play")) { go(.board(card.installed, game: nil)) }
                    .accessibilityLabel(card.isUnderWay ? say("resume_label", name) : say("play_label", name))
                    .accessibilityIdentifier("play \(card.id)")
            }
            if card.canTest {
                Button(say("self_test")) { go(.selfTest(card.entry, card.installed.store, proof: card.proof)) }
                    .accessibilityLabel(say("self_test_label", name))
                    .accessibilityIdentifier("test \(card.id)")
            }
        }
    }
}
