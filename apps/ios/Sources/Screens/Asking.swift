import AzxDrawing
import AzxPlay

/// What a person wants and is asked about first, as a game under way would be lost by it.
public enum Wish: Equatable, Sendable {
    case newGame
    /// Choices with another rule, which begins a new game.
    case otherRule(Choices)
}

extension Seat {
    /// A new game; asks first where one is under way.
    public func restart() {
        if table.session.isUnderWay { question = .newGame } else { table.restart() }
    }

    /// Choose otherwise; asks first where another rule would end a game under way.
    public func choose(_ choices: Choices) {
        let isOtherRule = choices.isRenju != table.choices.isRenju
        if isOtherRule && table.session.isUnderWay { question = .otherRule(choices) } else { table.choose(choices) }
    }

    /// Do what was asked about, or go on as it was.
    public func answer(_ isMeant: Bool) {
        let asked = question
        question = nil
        switch isMeant ? asked : nil {
        case .newGame: table.restart()
        case .otherRule(let choices): table.choose(choices)
        case nil: break
        }
    }
}
