import AzxBundle
import AzxDrawing
import AzxEngine

/// What a bundle is called: its title of the index, in which the game's English name is put into another language.
public func title(of entry: Entry, _ say: (Phrase) -> String) -> String {
    guard let game = Game.games.first(where: { $0.name == entry.game }), let name = Presentation(game.name).name
    else { return entry.title }
    return entry.title.replacing(game.title, with: say(name))
}

extension Games {
    /// Cards under the name of their game; without a title if there are too few for groups.
    public struct Group: Identifiable, Sendable {
        public let title: Phrase?
        public let cards: [Card]

        public var id: String { title?.key ?? "" }
    }

    /// From this number of cards on a search is offered.
    public static let many = 10

    public var areMany: Bool { cards.count >= Self.many }

    /// The cards in one group or, if there are many, by game: the games in the app's order, cards without a known game last. Then
    /// only cards stay whose title, name or game has every word of the search, in the language of `say`.
    public func groups(_ say: (Phrase) -> String) -> [Group] {
        if !areMany { return [Group(title: nil, cards: cards)] }
        let words = sought.lowercased().split(whereSeparator: \.isWhitespace)
        let names = Game.games.map(\.name)
        let byGame = names.compactMap { game in
            Presentation(game).name.map { title in (title, cards.filter { $0.entry.game == game }) }
        }
        let others = cards.filter { !names.contains($0.entry.game ?? "") }
        return (byGame + [(Phrase("other_networks"), others)]).compactMap { title, members in
            let found = members.filter { card in
                // People may know a game by another name than a bundle of it.
                let (entry, own) = (card.entry, AzxScreens.title(of: card.entry, say))
                let text = "\(say(title)) \(own) \(entry.title) \(entry.game ?? "") \(card.id)".lowercased()
                return words.allSatisfy { text.contains($0) }
            }
            return found.isEmpty ? nil : Group(title: title, cards: found)
        }
    }
}
