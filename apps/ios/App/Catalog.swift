/// Texts of Localizable.xcstrings.

import AzxBundle
import AzxEngine
import AzxScreens
import Foundation

/// The catalog's text of a key, with `places` filled in.
func say(_ key: String, _ places: any CVarArg...) -> String {
    filled(key, places)
}

/// A phrase in the language of this device.
func say(_ phrase: Phrase) -> String {
    filled(phrase.key, phrase.parts.map(place))
}

/// Several things, one after the other.
func say(_ parts: [Phrase.Part]) -> String {
    parts.map { say($0) }.joined(separator: say("board_comma"))
}

/// A part of a phrase by itself.
func say(_ part: Phrase.Part) -> String {
    switch part {
    case .whole(let number): number.formatted()
    case .number(let number): number.formatted()
    case .text(let text): text
    case .phrase(let phrase): say(phrase)
    case .list(let parts): say(parts)
    }
}

private func filled(_ key: String, _ places: [any CVarArg]) -> String {
    let text = NSLocalizedString(key, comment: "")
    return places.isEmpty ? text : String(format: text, locale: .current, arguments: places)
}

private func place(_ part: Phrase.Part) -> any CVarArg {
    // A catalog chooses the plural by a number, which a text is not.
    if case .whole(let number) = part { number } else { say(part) }
}

/// What a bundle is called: its title of the index, in which the game's English name is put into this language.
func title(of entry: Entry) -> String {
    guard let game = Game.games.first(where: { $0.name == entry.game }) else { return entry.title }
    return entry.title.replacing(game.title, with: say(Presentation(game.name).title))
}
