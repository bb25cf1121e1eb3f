import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay

/// What the question for a new game offers if networks play each other: a network and a level for each side, and the number
/// of games.
extension Seat {
    /// Whether networks are to play each other, which is chosen side by side.
    public var asksSides: Bool { terms?.begins == .watch && sides != nil }

    /// The networks that played last, if they are still there; the open one in place of a missing one.
    var usualSides: SeriesChoice? {
        guard let own = players.first else { return nil }
        let (name, strength) = (own.entry.name, table.choices.strength)
        var choice =
            table.seriesChoice ?? SeriesChoice(bundles: [name, name], strengths: [strength, strength])
        let names = players.map(\.entry.name)
        choice.bundles = choice.bundles.map { names.contains($0) ? $0 : name }
        return choice
    }

    /// The strength that a side is offered beside the levels: its own, if that is not a level.
    public func exactStrength(of side: Int) -> Strength? {
        sides.flatMap { Strength.levels.contains($0.strengths[side]) ? nil : $0.strengths[side] }
    }

    /// That an opening is drawn, and how long it is; nil of a game alone.
    public var aboutOpenings: Phrase? {
        guard let sides, sides.count > 1 else { return nil }
        return Phrase("series_openings", .whole(openingMoves(table.game)))
    }

    /// The name that tells a network of the list from the others of its game.
    public func nameOfNetwork(_ installed: Installed) -> Phrase.Part { shortTitle(installed.entry.title, table.game) }

    /// Begin the chosen series; false if one network plays a single game, which begins like any other.
    func beginSeries(_ chosen: Choices) -> Bool {
        guard chosen.begins == .watch, let choice = sides, let own = players.first else { return false }
        table.seriesChoice = choice
        let isUsual =
            choice.bundles.allSatisfy { $0 == own.entry.name } && choice.strengths.allSatisfy { $0 == chosen.strength }
        if choice.count == 1, isUsual { return false }
        let sides = zip(choice.bundles, choice.strengths).compactMap { name, strength in
            players.first { $0.entry.name == name }.map { GameRecord.Side($0, strength) }
        }
        if sides.count < 2 { return false }
        table.begin(sides, count: choice.count, chosen)
        return true
    }
}
