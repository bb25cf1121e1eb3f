import AzxDrawing
import AzxEngine
import AzxPlay

/// A level as one of the eight steps of the question.
public struct LevelStep: Equatable, Identifiable, Sendable {
    /// Its number, 1 to 8.
    public let id: Int
    public let strength: Strength
    public let isChosen: Bool
}

/// The terms of a new game, which are asked first: the network's strength, who begins, and the settings. The game on the board
/// stays in the library.
extension Seat {
    private var game: String { table.game }

    /// The title of the question.
    public var question: Phrase { Phrase("new_game_of", .phrase(Phrase("game_\(game)"))) }

    public var levelSteps: [LevelStep] {
        steps(terms?.strength)
    }

    /// The levels of one side of a game between networks.
    public func levelSteps(of side: Int) -> [LevelStep] { steps(sides?.strengths[side]) }

    private func steps(_ chosen: Strength?) -> [LevelStep] {
        Strength.levels.enumerated().map { LevelStep(id: $0 + 1, strength: $1, isChosen: chosen == $1) }
    }

    /// The exact strengths beside the levels, of those that the network has.
    public func exactStrengths(of strengths: [Strength]) -> [Strength] {
        strengths.filter { !Strength.levels.contains($0) }
    }

    /// The points for moving second that can be chosen; none in games without them.
    public var komis: [Double] { table.ownKomi.map((terms ?? table.choices).komis) ?? [] }

    /// The points for moving second in the next game.
    public var komi: Double? {
        get { (terms ?? table.choices).komi ?? table.ownKomi }
        set { terms?.komi = newValue }
    }

    /// The name of the game's other rule; nil if it has only one.
    public var otherRule: Phrase? {
        let rules = Choices.rules(game)
        return rules.count > 1 ? Phrase("rule_\(rules[1])") : nil
    }

    /// Whether the next game is played by the other rule.
    public var isOtherRule: Bool {
        get { (terms ?? table.choices).isOtherRule ?? table.hasOtherRule }
        set { terms?.isOtherRule = newValue }
    }

    /// Whether the game on the board has begun and is not over.
    public var keepsGame: Bool { table.session.isBegun && table.session.phase != .over }

    public func restart() { (terms, sides) = (table.choices, usualSides) }

    /// Begin the new game by the terms.
    public func begin() {
        guard let chosen = terms else { return }
        terms = nil
        if !beginSeries(chosen) { table.restart(chosen) }
    }
}
