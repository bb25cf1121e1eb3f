import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Observation

/// The list of installed games: what can be played, what was left under way, and why something cannot be played.
@MainActor
@Observable
public final class Games {
    public struct Card: Identifiable, Sendable {
        public let installed: Installed
        /// Its author's file, if another bundle plays the same game; nil otherwise.
        public internal(set) var file: String?
        /// How many parameters its network has; nil if its manifest cannot be read.
        public internal(set) var parameters: Int?
        /// The game that goes on; nil if none is under way.
        public internal(set) var underWay: GameRecord?
        /// How its game is read; nil if it cannot be played.
        var reading: Reading?
        /// How its last game has ended; nil if none was played to its end.
        public internal(set) var finished: Phrase?
        /// Why it cannot be played, and whether its self-test runs; or the sentence of what is damaged. nil if it
        /// can be played.
        public internal(set) var why: Phrase.Part?
        public internal(set) var canTest = false
        /// That the reading of the board is only assumed, or which one a person has chosen; nil if it is known.
        public internal(set) var doubt: Phrase?
        /// The readings that it may be played by, the assumed one first; none if there is nothing to choose.
        public internal(set) var readings: [ReadingRow] = []
        /// The bundle's own claim, which was not checked here; nil if its manifest cannot be read.
        public internal(set) var proof: Phrase?

        public var id: String { entry.name }
        public var entry: Entry { installed.entry }
        public var canPlay: Bool { why == nil }
        public var isUnderWay: Bool { underWay != nil }

        /// Its picture: the position of the game under way, else one that shows what the game is about.
        public func picture() async -> (any Board)? {
            if let underWay, let board = await lastBoard(underWay) { return board }
            return await exampleBoard(reading)
        }
    }

    /// What the screen shows of the list.
    public enum Stage: Equatable, Sendable {
        case reading, cards
        /// A title and a sentence: why the list cannot be read, or that there is nothing in it and what fills it.
        case failed(Phrase, Phrase.Part)
        case empty(Phrase, Phrase)
    }

    public var stage: Stage {
        if !isRead { return .reading }
        if let failure { return .failed(Phrase("index_damaged"), failure) }
        return cards.isEmpty ? .empty(Phrase("no_games_title"), Phrase("no_games")) : .cards
    }

    public private(set) var cards: [Card] = []
    /// What a person looks for among many.
    public var sought = ""
    /// The sentence of why the list cannot be read; nil if it can.
    public private(set) var failure: Phrase.Part?

    /// Whether the list was read; before that it may only seem empty.
    public private(set) var isRead = false
    /// Counts the readings; the last one holds.
    @ObservationIgnored private var readings = 0

    public init() {}

    /// Read the list anew, as games may have been played meanwhile: what is installed, then what a person has given. Games
    /// that were kept before there was a library come into it.
    ///
    /// Manifests are read away from the main actor; the old list is shown until then.
    public func read(
        _ store: Store, _ given: GivenBundles? = nil, keeping kept: any Keeping, in library: Library? = nil
    ) async {
        readings += 1
        let mine = readings
        let installed = await away { Result { try Installed.all(store, given) } }
        let chosen = readingsChosen(of: (try? installed.get()) ?? [], kept)
        let bundles = await away { installed.map { all in all.map { Listed($0, chosen: chosen[$0.entry.name]) } } }
        await library?.open()
        if let library, case .success(let found) = bundles {
            for each in found {
                guard let reading = try? each.bundle.get().readingOrNil else { continue }
                let memory = Memory(kept, bundle: each.installed.entry.name)
                await memory.adopt(reading, Opponent(each.installed), in: library)
            }
        }
        guard mine == readings else { return }
        switch bundles {
        case .success(let found): (cards, failure) = (makeCards(found, library), nil)
        case .failure(let error): (cards, failure) = ([], describe(error))
        }
        isRead = true
    }

    /// Let the network of a card play by another reading, nil for the assumed one, in a new game.
    public func choose(_ reading: String?, for card: Card, keeping kept: any Keeping) -> Place {
        Memory(kept, bundle: card.id).reading = reading
        return .newGame(card.installed)
    }
}

/// A bundle of the list, or why it cannot be read.
private struct Listed: Sendable {
    let installed: Installed
    let bundle: Result<GameBundle, any Error>

    init(_ installed: Installed, chosen: String?) {
        self.installed = installed
        bundle = Result { try GameBundle(installed.entry, installed.store, chosen: chosen) }
    }
}

/// The readings that a person has chosen, by the names of their bundles.
@MainActor func readingsChosen(of bundles: [Installed], _ kept: any Keeping) -> [String: String] {
    let names = Set(bundles.map(\.entry.name))
    return names.reduce(into: [:]) { $0[$1] = Memory(kept, bundle: $1).reading }
}

/// The cards of bundles, with their last games.
@MainActor private func makeCards(_ bundles: [Listed], _ library: Library?) -> [Games.Card] {
    let alike = Dictionary(grouping: bundles, by: \.installed.entry.game).filter { $0.value.count > 1 }
    return bundles.map { each in
        let last = library?.last(of: Opponent(each.installed).bundle)
        return card(each, last, isAlike: alike[each.installed.entry.game] != nil)
    }
}

/// The board at a position that shows what a game is about, away from the main actor; nil if it cannot be played.
private nonisolated func exampleBoard(_ reading: Reading?) async -> (any Board)? {
    guard let reading, let start = try? reading.start() else { return nil }
    let shown = position(for: reading.game.name, from: start)
    return try? board(Shown(shown, human: nobody, last: shown.lastAction, canPlay: false))
}

/// The bundle's own claim, which was not checked here.
func proof(_ manifest: Manifest) -> Phrase {
    if let told = Calculation(manifest, at: manifest.recommended["ios"]) {
        return Phrase("proof_said", .phrase(Phrase(told.key, told.places.map { .text($0) })))
    }
    return manifest.compared.map { Phrase("proof_recorded", .whole($0)) } ?? Phrase("proof_none")
}

private func card(_ listed: Listed, _ last: GameRecord?, isAlike: Bool) -> Games.Card {
    do {
        let bundle = try listed.bundle.get()
        return Games.Card(
            installed: listed.installed, file: isAlike ? bundle.manifest.checkpoint.file : nil,
            parameters: bundle.manifest.checkpoint.parameters, underWay: last.flatMap { $0.over ? nil : $0 }, reading: bundle.readingOrNil,
            finished: last.flatMap { $0.over ? describeEnding($0) : nil },
            why: bundle.problems.isEmpty ? nil : unplayable(bundle), canTest: bundle.untestable == nil,
            doubt: bundle.doubt?.phrase, readings: bundle.doubt?.rows ?? [],
            proof: proof(bundle.manifest))
    } catch {
        return Games.Card(installed: listed.installed, why: describe(error))
    }
}
