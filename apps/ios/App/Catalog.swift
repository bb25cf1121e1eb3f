/// Texts of Localizable.xcstrings, in the language that was chosen in the app.

import AzxBundle
import AzxPlay
import AzxScreens
import Foundation

/// The texts of a language, and how it writes numbers.
struct LanguageTexts {
    let bundle: Bundle
    let locale: Locale

    fileprivate init(_ language: Language) {
        let folder = language.tag.map { Bundle.main.bundleURL.appending(path: "\($0).lproj") }
        bundle = folder.flatMap { Bundle(url: $0) } ?? .main
        locale = language.tag.map { Locale(identifier: $0) } ?? .current
    }
}

private let english = LanguageTexts(.english)
private let chinese = LanguageTexts(.chinese)

/// The current language. A view that reads it is drawn anew when another one is chosen.
@MainActor var spoken: LanguageTexts {
    switch appSettings.preferences.language {
    case .system: LanguageTexts(.system)
    case .english: english
    case .chinese: chinese
    }
}

/// The catalog's text of a key, with `places` filled in.
@MainActor func say(_ key: String, _ places: any CVarArg...) -> String {
    fill(text(key) ?? key, places)
}

/// A phrase in the language of the app.
@MainActor func say(_ phrase: Phrase) -> String {
    if let text = text(phrase.key) { return fill(text, phrase.parts.map(place)) }
    return phrase.substitute.map { say($0) } ?? phrase.key
}

/// Several things, one after the other.
@MainActor func say(_ parts: [Phrase.Part]) -> String {
    parts.map { say($0) }.joined(separator: say("board_comma"))
}

/// A part of a phrase by itself.
@MainActor func say(_ part: Phrase.Part) -> String {
    switch part {
    case .whole(let number): number.formatted(.number.locale(spoken.locale))
    case .number(let number): number.formatted(.number.locale(spoken.locale))
    case .text(let text): text
    case .phrase(let phrase): say(phrase)
    case .opening(let part): say(part).prefix(1).uppercased(with: spoken.locale) + say(part).dropFirst()
    case .list(let parts): say(parts)
    }
}

/// The catalog's text of a key; nil if it has none.
@MainActor private func text(_ key: String) -> String? {
    // The value given here comes back for a missing text, and no text is a line end.
    let text = spoken.bundle.localizedString(forKey: key, value: "\n", table: nil)
    return text == "\n" ? nil : text
}

// No text has more places.
private let mostPlaces = 9

@MainActor private func fill(_ text: String, _ places: [any CVarArg]) -> String {
    if !text.contains("%") { return text }
    // A bundle's problem may bring fewer places than its text has: reading one that is not there would end the app.
    let missing = [any CVarArg](repeating: "", count: max(0, mostPlaces - places.count))
    return String(format: text, locale: spoken.locale, arguments: places + missing)
}

@MainActor private func place(_ part: Phrase.Part) -> any CVarArg {
    // A catalog chooses the plural by a number, which a text is not.
    if case .whole(let number) = part { number } else { say(part) }
}

/// The title of a bundle in the language of the app.
@MainActor func title(of entry: Entry) -> String { AzxScreens.title(of: entry) { say($0) } }
