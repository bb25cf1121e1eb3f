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

    public init() {}

    /// Read the list anew, as games may have been played meanwhile: what is installed, then what a person has given.
    public func read(_ store: Store, _ given: GivenBundles? = nil, keeping kept: any Keeping) {
        do {
            let own = try readIndex(store)
            let others = given?.entries(besides: own.map(\.name)) ?? []
            cards = own.map { card($0, store, kept, isGiven: false) }
            if let given { cards += others.map { card($0, given.store, kept, isGiven: true) } }
            failure = nil
        } catch {
            (cards, failure) = ([], describe(error))
        }
    }

    private func card(_ entry: Entry, _ store: Store, _ kept: any Keeping, isGiven: Bool) -> Card {
        do {
            let bundle = try GameBundle(entry, store)
            let session = kept.session(of: entry, bundle.readingOrNil)
            let isOver = session?.phase == .over
            return Card(
                entry: entry, store: store, isGiven: isGiven, parameters: bundle.manifest.checkpoint.parameters,
                isUnderWay: session?.isUnderWay ?? false,
                finished: isOver ? session.map { AzxScreens.describeEnding($0, Presentation(entry.game ?? "")) } : nil,
                why: bundle.problems.isEmpty ? nil : unplayable(bundle), canTest: bundle.untestable == nil,
                doubt: bundle.manifest.isAssumed ? Phrase("reading_assumed") : nil,
                proof: bundle.manifest.compared.map { Phrase("proof_recorded", .whole($0)) } ?? Phrase("proof_none"))
        } catch {
            return Card(entry: entry, store: store, isGiven: isGiven, why: describe(error))
        }
    }
}

extension Keeping {
    /// The last game of a bundle; nil where there is none that is sound.
    @MainActor fileprivate func session(of entry: Entry, _ reading: Reading?) -> Session? {
        guard let saved = Memory(self, bundle: entry.name).game.flatMap({ SavedGame($0) }),
            let start = try? reading?.start(saved.settings)
        else { return nil }
        return saved.session(start)
    }
}
