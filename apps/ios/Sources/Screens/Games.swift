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
        public let entry: Entry
        /// Where its bundle lies.
        public let store: Store
        /// Whether a person has given it to this app.
        public let isGiven: Bool
        /// Its author's file, where another bundle plays the same game; nil otherwise.
        public internal(set) var file: String?
        /// How many parameters its network has; nil where its manifest cannot be read.
        public internal(set) var parameters: Int?
        public internal(set) var isUnderWay = false
        /// How its last game has ended; nil where none was played to its end.
        public internal(set) var finished: Phrase?
        /// Why it cannot be played, and whether its self-test runs; or the sentence of what is damaged. nil where it
        /// can be played.
        public internal(set) var why: Phrase.Part?
        public internal(set) var canTest = false
        /// That how its network sees the board is only assumed; nil where it is known.
        public internal(set) var doubt: Phrase?
        /// What the bundle says of itself: nobody has looked into it here. nil where its manifest cannot be read.
        public internal(set) var proof: Phrase?

        public var id: String { entry.name }
        public var canPlay: Bool { why == nil }
    }

    public private(set) var cards: [Card] = []
    /// What a person looks for among many.
    public var sought = ""
    /// The sentence of why the list cannot be read; nil where it can.
    public private(set) var failure: Phrase.Part?

    /// Whether the list was read: before that nobody knows that it is empty.
    public private(set) var isRead = false
    /// Goes up with each reading, the last of which holds.
    @ObservationIgnored private var readings = 0

    public init() {}

    /// Read the list anew, as games may have been played meanwhile: what is installed, then what a person has given.
    ///
    /// Manifests are read and games played again away from the main actor; the list of before is shown until then.
    public func read(_ store: Store, _ given: GivenBundles? = nil, keeping kept: any Keeping) async {
        readings += 1
        let mine = readings
        let bundles = await readBundles(store, given)
        let found = await cards(bundles, kept)
        guard mine == readings else { return }
        switch found {
        case .success(let read): (cards, failure) = (read, nil)
        case .failure(let error): (cards, failure) = ([], describe(error))
        }
        isRead = true
    }

    private func cards(
        _ bundles: Result<[Listed], any Error>, _ kept: any Keeping
    ) async -> Result<[Card], any Error> {
        switch bundles {
        case .failure(let error): .failure(error)
        case .success(let found):
            .success(await makeCards(found, found.map { Memory(kept, bundle: $0.entry.name).game }))
        }
    }
}

/// A bundle of the list, or why it cannot be read.
private struct Listed: Sendable {
    let entry: Entry
    let store: Store
    let isGiven: Bool
    let bundle: Result<GameBundle, any Error>
}

private nonisolated func readBundles(_ store: Store, _ given: GivenBundles?) async -> Result<[Listed], any Error> {
    func read(_ entry: Entry, _ store: Store, isGiven: Bool) -> Listed {
        Listed(entry: entry, store: store, isGiven: isGiven, bundle: Result { try GameBundle(entry, store) })
    }
    return Result {
        let own = try readIndex(store)
        let others = given?.entries(besides: own.map(\.name)) ?? []
        return own.map { read($0, store, isGiven: false) }
            + others.map { read($0, given?.store ?? store, isGiven: true) }
    }
}

/// The cards of bundles, with the texts of their last games.
private nonisolated func makeCards(_ bundles: [Listed], _ games: [String?]) async -> [Games.Card] {
    let alike = Dictionary(grouping: bundles, by: \.entry.game).filter { $0.value.count > 1 }
    return zip(bundles, games).map { card($0, $1, isAlike: alike[$0.entry.game] != nil) }
}

private func card(_ listed: Listed, _ game: String?, isAlike: Bool) -> Games.Card {
    let (entry, store, isGiven) = (listed.entry, listed.store, listed.isGiven)
    do {
        let bundle = try listed.bundle.get()
        let session = session(game, bundle.readingOrNil)
        let isOver = session?.phase == .over
        return Games.Card(
            entry: entry, store: store, isGiven: isGiven, file: isAlike ? bundle.manifest.checkpoint.file : nil,
            parameters: bundle.manifest.checkpoint.parameters,
            isUnderWay: session?.isUnderWay ?? false,
            finished: isOver ? session.map { describeEnding($0, Presentation(entry.game ?? "")) } : nil,
            why: bundle.problems.isEmpty ? nil : unplayable(bundle), canTest: bundle.untestable == nil,
            doubt: bundle.manifest.isAssumed ? Phrase("reading_assumed") : nil,
            proof: bundle.manifest.compared.map { Phrase("proof_recorded", .whole($0)) } ?? Phrase("proof_none"))
    } catch {
        return Games.Card(entry: entry, store: store, isGiven: isGiven, why: describe(error))
    }
}

/// The game of a text; nil if there is none that is sound.
private func session(_ text: String?, _ reading: Reading?) -> Session? {
    guard let saved = text.flatMap({ SavedGame($0) }), let start = try? reading?.start(saved.settings) else { return nil }
    return saved.session(start)
}
