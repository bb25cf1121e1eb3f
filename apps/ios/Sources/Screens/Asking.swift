import AzxDrawing
import AzxPlay

/// What a person wants and is asked about first, as a game under way would be lost by it.
public enum Wish: Equatable, Sendable {
    /// Choices with another rule, which begins a new game.
    case otherRule(Choices)
    /// The game goes on from what is shown, without so many of its moves.
    case playFromHere(lost: Int)

    public var title: Phrase { isFromHere ? Phrase("play_from_here") : Phrase("new_game_title") }
    /// What would be lost.
    public var about: Phrase {
        if case .playFromHere(let lost) = self { Phrase("play_from_here_about", .whole(lost)) } else { Phrase("new_game_about") }
    }
    /// What says yes, and what says no.
    public var yes: Phrase { isFromHere ? Phrase("play_from_here") : Phrase("new_game") }
    public var no: Phrase { isFromHere ? Phrase("cancel") : Phrase("go_on") }

    private var isFromHere: Bool { if case .playFromHere = self { true } else { false } }
}

extension Seat {
    /// A new game, whose terms are asked first: how strong the network is, and who begins.
    public func restart() { terms = table.choices }

    /// Begin the new game by the terms.
    public func begin() {
        guard let chosen = terms else { return }
        terms = nil
        table.restart(chosen)
    }

    /// Choose otherwise; asks first where another rule would end a game under way.
    public func choose(_ choices: Choices) {
        let isOtherRule = choices.isRenju != table.choices.isRenju
        if isOtherRule && table.session.isUnderWay { question = .otherRule(choices) } else { table.choose(choices) }
    }

    /// Go on from the position that is shown; asks first where moves of the game are lost by it.
    public func playFromHere() {
        if table.lost > 0 { question = .playFromHere(lost: table.lost) } else { table.playFromHere() }
    }

    /// Do what was asked about, or go on as it was.
    public func answer(_ isMeant: Bool) {
        let asked = question
        question = nil
        switch isMeant ? asked : nil {
        case .otherRule(let choices): table.choose(choices)
        case .playFromHere: table.playFromHere()
        case nil: break
        }
    }
}
