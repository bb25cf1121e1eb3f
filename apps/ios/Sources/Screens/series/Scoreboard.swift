import AzxDrawing
import AzxEngine
import AzxPlay

/// What stands beside the board of a series: which game it is, what each side has won, and that it can be stopped.
public struct Scoreboard: Equatable, Sendable {
    /// What a side has won, or how many games were drawn.
    public struct Tile: Equatable, Identifiable, Sendable {
        public let id: Int
        public let name: Phrase.Part
        public let count: Int
    }

    public let title: Phrase
    public let tiles: [Tile]
    /// That the games are no rating; nil while it goes on.
    public let about: Phrase?
    public let canStop: Bool

    /// What a screen reader says, one after the other.
    public var said: [Phrase.Part] {
        [.phrase(title)] + tiles.flatMap { [$0.name, .whole($0.count)] } + [about].compactMap { $0.map { .phrase($0) } }
    }
}

extension Table {
    /// The score of a series; nil without one, and for a single game.
    public var scoreboard: Scoreboard? {
        guard let series, series.count > 1 else { return nil }
        let (tally, planned) = (series.tally, series.count)
        // Between two games the last one is shown.
        let shown = series.isPlaying ? tally.played + 1 : max(1, tally.played)
        let names = [0, 1].map { nameOf($0, series.sides) }
        return Scoreboard(
            title: series.isOver
                ? endOfSeries(tally.played, planned) : Phrase("series_game", .whole(shown), .whole(planned)),
            tiles: [0, 1].map { Scoreboard.Tile(id: $0, name: names[$0], count: tally.won[$0]) }
                + [Scoreboard.Tile(id: 2, name: .words("series_draws"), count: tally.drawn)],
            about: series.isOver && tally.played > 0 ? Phrase("series_no_rating", .whole(tally.played)) : nil,
            canStop: !series.isOver)
    }

    /// The name that tells a side from the other one: the network, the level, or both; with a number if both are the same.
    private func nameOf(_ side: Int, _ sides: [GameRecord.Side]) -> Phrase.Part {
        let (name, level) = (shortTitle(sides[side].name, game), sides[side].strength)
        let both = Phrase.Part.list([name] + [level].compactMap { $0 })
        let (isSameName, isSameLevel) = (sides[0].bundle == sides[1].bundle, sides[0].level == sides[1].level)
        if isSameName, isSameLevel { return .words("series_one_of", both, .whole(side + 1)) }
        if isSameName { return level ?? name }
        return isSameLevel ? name : both
    }
}

private func endOfSeries(_ played: Int, _ planned: Int) -> Phrase {
    played == planned
        ? Phrase("series_over", .whole(planned)) : Phrase("series_stopped", .whole(played), .whole(planned))
}
