import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Observation

/// Opens the record of a game that a person pastes, as an entry of the library.
@MainActor
@Observable
public final class RecordOpener {
    /// What was pasted so far.
    public var text = ""
    /// The entry that was made, or was there before, and the bundle that plays it; nil until there is one.
    public private(set) var found: (id: String, bundle: Installed)?
    /// Why the text is no record of a game that can be shown; nil before a text was opened.
    public private(set) var complaint: Phrase.Part?

    public init() {}

    /// Find the game of the text, and a bundle that plays it, or say why there is none.
    public func open(_ store: Store, _ given: GivenBundles? = nil, in library: Library) async {
        complaint = nil
        do {
            let (record, bundle) = try await recordGame(text, store, given)
            await library.open()
            let kept = library.same(as: record) ?? record
            if library[kept.id] == nil { library.keep(kept) }
            found = (kept.id, bundle)
        } catch {
            complaint = describe(error)
        }
    }
}

/// The game of a text, found away from the main actor: a long record takes a while.
private nonisolated func recordGame(
    _ text: String, _ store: Store, _ given: GivenBundles?
) async throws -> (GameRecord, Installed) {
    let record = try GameRecord(telling: text)
    guard let bundle = try await record.find(store, given) else {
        throw RecordError(.noNetwork, what: record.game)
    }
    return (record, bundle)
}

/// Why a text is no record of a game that can be shown.
func sentence(_ error: RecordError) -> Phrase {
    let (key, move) = (error.kind.rawValue, Phrase.Part.whole(error.move ?? 0))
    switch error.kind {
    case .none, .tooLarge, .tooLong, .noSgf, .otherGame, .setup: return Phrase(key)
    case .settings: return Phrase(key, .text(error.what))
    case .unknownMove: return Phrase(key, move, .text(error.what))
    case .turn, .afterEnd: return Phrase(key, move)
    case .illegal:
        return Phrase(key, move, error.reason.map { .phrase(why($0)) } ?? .text(error.what))
    case .noNetwork: return Phrase(key, Presentation(error.what).title)
    }
}
