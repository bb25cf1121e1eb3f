import AzxBundle
import AzxDrawing
import AzxEngine
import Foundation

extension BundleError {
    /// The sentence that the app says in English.
    public var sentence: String { Catalog.english.say(Phrase(key, places.map { .text($0) })) }
}

/// The texts of the app's string catalog in a language.
public struct Catalog: Sendable {
    public static let english = try! Catalog("en")
    public static let chinese = try! Catalog("zh-Hans")

    private let strings: [String: Json]
    private let language: String

    private init(_ language: String) throws {
        self.language = language
        let file = Fixtures.root.appending(path: "apps/ios/App/Localizable.xcstrings")
        strings = try Fixtures.json(file)["strings"].members ?? [:]
    }

    public func say(_ parts: [Phrase.Part]) -> String { say(.list(parts)) }

    public func say(_ part: Phrase.Part) -> String {
        switch part {
        case .whole(let number): String(number)
        case .number(let number): String(number)
        case .text(let text): text
        case .phrase(let phrase): say(phrase)
        case .opening(let part): say(part).prefix(1).uppercased() + say(part).dropFirst()
        case .list(let parts): parts.map { say($0) }.joined(separator: text("board_comma", []))
        }
    }

    public func say(_ phrase: Phrase) -> String {
        if strings[phrase.key] == nil, let other = phrase.substitute { return say(other) }
        var said = text(phrase.key, phrase.parts)
        for (at, part) in phrase.parts.enumerated() {
            for kind in ["lld", "@"] { said = said.replacing("%\(at + 1)$\(kind)", with: say(part)) }
        }
        return said.replacing("%%", with: "%")
    }

    /// The text of a key; what shows that there is none if there is none.
    private func text(_ key: String, _ parts: [Phrase.Part]) -> String {
        let found = strings[key]?["localizations"][language] ?? .null
        let plural = found["variations"]["plural"]
        let one = parts.first == .whole(1) ? plural["one"] : .null
        let unit = plural == .null ? found : one == .null ? plural["other"] : one
        return unit["stringUnit"]["value"].text ?? "(no text \(key))"
    }
}
