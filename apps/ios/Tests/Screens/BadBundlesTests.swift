import AzxBundle
import AzxDrawing
import AzxEngine
import AzxNetwork
import AzxPlay
import Foundation
import Support
import Testing

@testable import AzxScreens

/// A network whose outputs are all alike.
private struct Even: Network {
    let runtime = "none"
    let outputs: [AzxBundle.Output]

    func outputs(_: [Float]) -> [String: [Float]] { outputs(of: [:]) }

    func outputs(of _: [String: [Float]]) -> [String: [Float]] {
        Dictionary(uniqueKeysWithValues: outputs.map { ($0.name, [Float](repeating: 0, count: $0.port.size)) })
    }
}

// A runtime's own refusal needs a runtime: the tests with ONNX Runtime have it.
private let recipes = Recipe.all.filter { $0.key != "error_load" }

/// What a person reads of each bundle of bad_bundles.json, on the models of the screens.
@MainActor @Suite(.timeLimit(.minutes(10))) struct BadBundlesTests {
    private let notebook = Notebook()
    private let load: Loading = { bundle, _ in
        _ = try bundle.model()
        return Even(outputs: bundle.manifest.outputs)
    }

    @Test(arguments: recipes)
    func isToldOnItsScreenInBothLanguages(_ recipe: Recipe) async throws {
        let broken = try recipe.make()
        let games = Games()
        await games.read(broken.store, keeping: notebook)
        guard recipe.screen != .list else {
            #expect(games.cards.isEmpty)
            try hold(games.failure, recipe)
            return
        }
        #expect(games.failure == nil)
        let card = try #require(games.cards.first)
        let room = Room(keeping: notebook)
        await room.open(card.entry, broken.store, on: .cpu, load)
        let testing = SelfTesting(seconds: 0.001)
        testing.start(card.entry, broken.store, device: "a test", load)
        await testing.settle()
        switch recipe.screen {
        case .list: break
        case .card:
            #expect(!card.canPlay && room.table == nil)
            try hold(card.why, recipe)
            let key = try #require(recipe.key)
            #expect(keys(room.failure) == (recipe.isClause ? ["error_unplayable", key] : [key]))
            if recipe.isClause { #expect(card.canTest == (key != "problem_no_artifact")) }
            if !recipe.isClause { #expect(!card.canTest && testing.failure == card.why) }
        case .play:
            #expect(card.canPlay)
            try hold(room.failure, recipe)
            #expect((room.table == nil) == (recipe.key != nil))
        case .test:
            #expect(card.canPlay && card.canTest && room.table != nil)
            #expect(testing.rows.count == Units.allCases.count)
            for row in testing.rows { try hold(row.failure, recipe) }
        }
    }

    /// What is told has the recipe's key, its English is that of the list, and it is whole in both languages.
    private func hold(_ told: Phrase.Part?, _ recipe: Recipe) throws {
        guard let key = recipe.key else {
            #expect(told == nil)
            return
        }
        let part = try #require(told)
        #expect(keys(part).contains(key))
        let (english, chinese) = (Catalog.english.say(part), Catalog.chinese.say(part))
        for said in [english, chinese] {
            #expect(!said.contains("(no text") && !said.contains("%"))
            if let names = recipe.names { #expect(said.contains(names)) }
        }
        #expect(chinese.unicodeScalars.contains { 0x4e00...0x9fff ~= $0.value })
        #expect(chinese.hasSuffix("。"))
        if let text = Recipe.sentences[key] { #expect(try matches(english, text)) }
        if recipe.isClause { #expect(english.hasPrefix("Cannot be played: ") && english.hasSuffix(".")) }
    }

    /// Whether a sentence is that of the list, whatever stands in its places.
    private func matches(_ said: String, _ text: String) throws -> Bool {
        let pieces = text.replacing(try Regex("%[0-9]\\$s"), with: "%").split(separator: "%").map(String.init)
        var rest = said[...]
        for piece in pieces {
            guard let at = rest.range(of: piece) else { return false }
            rest = rest[at.upperBound...]
        }
        return said.hasPrefix(pieces[0]) && rest.isEmpty
    }

    private func keys(_ part: Phrase.Part?) -> [String] {
        guard case .phrase(let phrase) = part else { return [] }
        return [phrase.key] + phrase.parts.flatMap { keys($0) }
    }

    @Test func theListHasEverySentenceThatItNames() {
        let keys = recipes.compactMap(\.key).filter { $0.hasPrefix("error_") }
        #expect(Set(keys).isSubset(of: Recipe.sentences.keys) && Set(keys).count > 10)
    }
}

extension Recipe {
    /// Whether it is told as a clause of why a bundle cannot be played.
    fileprivate var isClause: Bool { key?.hasPrefix("problem_") ?? false }
}
