/// The texts of a record in a list: who played what, how it ended, and when.

import AzxDrawing
import AzxEngine
import AzxPlay
import Foundation

/// The state of a game for the person who played it here; `others` is other people's game, `people` one of two people here.
public enum Standing: String, CaseIterable, Sendable {
    case open, won, lost, draw, watched, people, others

    public init(_ record: GameRecord) {
        self =
            if record.isRead, !record.isOfTwo { .others } else if !record.over { .open } else if record.isOfTwo { .people } else if !record.hasPerson { .watched
            } else if record.winner == nil { .draw } else { record.winner == record.human ? .won : .lost }
    }

    public var phrase: Phrase { Phrase("library_\(rawValue)") }
}

/// How a language says a phrase, and how it writes dates.
@MainActor
public struct Telling {
    let say: (Phrase.Part) -> String
    let locale: Locale

    public init(_ locale: Locale, say: @escaping (Phrase.Part) -> String) { (self.locale, self.say) = (locale, say) }
}

extension GameRecord {
    /// The title of the game; as the file has it if this app does not know it.
    var gameTitle: Phrase.Part { Presentation(game).title }

    /// What a side is called: you, AI, the title of a network that was chosen for this side, or a file's name for it.
    func called(_ player: Player) -> Phrase.Part {
        let side = players[player]
        if side.bundle != nil { return .list([.text(side.name)] + [side.strength].compactMap { $0 }) }
        switch side.kind {
        case .person where isOfTwo: return Presentation(game).player(player, players.map(\.name))
        case .person: return .words("you")
        case .network: return .words("ai")
        case .file: return Presentation(game).player(player, players.map(\.name))
        }
    }

    /// How it has ended, or that it goes on.
    var result: Phrase.Part {
        if isRead, case .told(let result, _) = ending { return .text(result) }
        if !over { return .words(isRead && !isOfTwo ? "record_no_result" : "game_in_progress") }
        guard let winner else { return .words("draw") }
        if hasPerson { return .words(winner == human ? "you_won" : "ai_won") }
        let isNamed = isRead || players[winner].bundle != nil
        return .words("winner_is", isNamed ? called(winner) : .phrase(Presentation(game).pieces[winner]))
    }

    /// "You – AI", or the names of other people.
    @MainActor func called(_ telling: Telling) -> String {
        [0, 1].map { telling.say(called($0)) }.joined(separator: " – ")
    }

    /// "Go · 24 moves · 26 Nov 2026 · Level 3: casual".
    @MainActor func about(_ telling: Telling) -> String {
        let date = date.formatted(Date.FormatStyle(date: .abbreviated, time: .omitted, locale: telling.locale))
        let levels = players.filter { $0.bundle == nil }.compactMap(\.strength).map(telling.say)
        let level = levels.first.map { first in levels.allSatisfy { $0 == first } ? first : levels.joined(separator: ", ") }
        return [
            telling.say(gameTitle), telling.say(.words("library_moves", .whole(actions.count - setUp))),
            beside.told["DT"] ?? date, beside.told["EV"], level,
        ].compactMap { $0 }.joined(separator: " · ")
    }
}

extension GameRecord.Side {
    /// The strength of a network; nil for other sides, and for a strength that this app does not know.
    var strength: Phrase.Part? { Strength(level: level).map { .phrase($0.phrase) } }
}
