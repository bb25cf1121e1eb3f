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

private func filled(_ key: String, _ places: [any CVarArg]) -> String {
    let text = NSLocalizedString(key, comment: "")
    return places.isEmpty ? text : String(format: text, locale: .current, arguments: places)
}

private func place(_ part: Phrase.Part) -> any CVarArg {
    switch part {
    case .whole(let number): number
    case .number(let number): number.formatted()
    case .text(let text): text
    case .phrase(let phrase): say(phrase)
    }
}

/// What a bundle is called: its title of the index, in which the game's English name is put into this language.
func title(of entry: Entry) -> String {
    guard let game = Game.games.first(where: { $0.name == entry.game }) else { return entry.title }
    return entry.title.replacing(game.title, with: say(Presentation(game.name).title))
}
