import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Observation

/// Opens the record of a game that a person pastes.
@MainActor
@Observable
public final class RecordOpener {
    /// What was pasted so far.
    public var text = ""
    /// The game that was found, and the bundle that plays it; nil until there is one.
    public private(set) var found: RecordGame?
    /// Why the text is no record of a game that can be shown; nil before a text was opened.
    public private(set) var complaint: Phrase.Part?

    public init() {}

    /// Find the game of the text, for a bundle of the first of these that has one, or say why there is none.
    public func open(_ stores: Store...) async {
        complaint = nil
        do {
            found = try await recordGame(text, stores)
        } catch {
            complaint = describe(error)
        }
    }
}

/// The game of a text, found away from the main actor: a long record takes a while.
private nonisolated func recordGame(_ text: String, _ stores: [Store]) async throws -> RecordGame {
    try RecordGame(text, in: stores)
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
    case .noNetwork: return Phrase(key, .phrase(Presentation(error.what).title))
    }
}
