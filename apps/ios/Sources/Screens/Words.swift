/// What is said of a game beside its board.

import AzxDrawing
import AzxEngine
import AzxPlay

public typealias Phrase = AzxDrawing.Phrase

/// How a game is presented: what it is called, what asks a person for a move, what players 0 and 1 play with.
public struct Presentation: Sendable {
    public let title: Phrase
    public let prompt: Phrase
    public let pieces: [Phrase]

    /// The presentation of a game of the engine's catalogue, by its name.
    public init(_ game: String) {
        switch game {
        case "connect4": self.init(Phrase("game_connect4"), Phrase("tap_column"), Phrase("red"), Phrase("yellow"))
        case "tictactoe": self.init(Phrase("game_tictactoe"), Phrase("tap_cell"), Phrase("cross"), Phrase("nought"))
        case "dots_and_boxes":
            self.init(Phrase("game_dots_and_boxes"), Phrase("tap_edge"), Phrase("blue"), Phrase("orange"))
        case "gomoku": self.init(Phrase("game_gomoku"), Phrase("tap_point"), Phrase("black"), Phrase("white"))
        default: self.init(Phrase("game_go"), Phrase("tap_point_or_pass"), Phrase("black"), Phrase("white"))
        }
    }

    private init(_ title: Phrase, _ prompt: Phrase, _ first: Phrase, _ second: Phrase) {
        self.title = title
        self.prompt = prompt
        pieces = [first, second]
    }
}

/// Whose turn it is, or who has won.
public func status(_ session: Session, _ presentation: Presentation) -> Phrase {
    switch session.phase {
    case .yours: presentation.prompt
    case .theirs: Phrase("waiting")
    case .scoring: Phrase("tap_dead")
    case .over: [Phrase("ai_won"), Phrase("draw"), Phrase("you_won")][session.result + 1]
    }
}

/// What a notice says about `state`, the position at the end of the game.
public func sentence(_ notice: Notice, _ state: any State) -> Phrase {
    switch notice {
    case .begins(let isHuman): isHuman ? Phrase("you_begin") : Phrase("ai_begins")
    case .notPossible(let reason): Phrase("not_possible", .phrase(why(reason, state)))
    case .forcedPass(let isHuman): isHuman ? Phrase("you_pass") : Phrase("ai_passes")
    case .resigned: Phrase("you_resigned")
    case .scoring(let without, let alive): Phrase("scoring", .phrase(winner(without)), .phrase(winner(alive)))
    case .estimated(let estimate): said(estimate)
    case .hint(let action, let share, let winRate?):
        Phrase("hint_move_rate", move(action, state), .phrase(.percent(share)), .phrase(.percent(winRate)))
    case .hint(let action, let share, nil): Phrase("hint_move", move(action, state), .phrase(.percent(share)))
    }
}

/// Why the network thinks less on a device; nil where it does not.
func sentence(_ warmth: Warmth) -> Phrase? {
    switch warmth {
    case .fine: nil
    case .serious: Phrase("device_warm")
    case .critical: Phrase("device_hot")
    }
}

private func move(_ action: Int, _ state: any State) -> Phrase.Part {
    switch state {
    case is Connect4: return .phrase(Phrase("move_column", .whole(action % Connect4.columns + 1)))
    case is TicTacToe: return .phrase(Phrase("move_cell", .whole(action / 3 + 1), .whole(action % 3 + 1)))
    case let state as DotsAndBoxes:
        return .phrase(action == state.pass ? Phrase("move_pass") : edge(action, state.size))
    case let state as Go where action == state.pass: return .phrase(Phrase("move_pass"))
    default: return .text((try? state.label(action)) ?? "")
    }
}

/// The horizontal edges come first, row by row, then the vertical ones.
private func edge(_ edge: Int, _ size: Int) -> Phrase {
    let across = size * (size + 1)
    if edge < across { return Phrase("move_across", .whole(edge / size + 1), .whole(edge % size + 1)) }
    let down = edge - across
    return Phrase("move_down", .whole(down / (size + 1) + 1), .whole(down % (size + 1) + 1))
}

func why(_ reason: Reason, _ state: any State) -> Phrase {
    switch reason.kind {
    case .over: Phrase("reason_over")
    case .noSuchAction: Phrase("reason_no_such_action")
    case .occupied: occupied(state)
    case .notLowest: Phrase("reason_not_lowest")
    case .mustPass: Phrase("reason_must_pass")
    case .noPass: Phrase("reason_no_pass")
    case .suicide: Phrase("reason_suicide")
    case .superko: Phrase("reason_superko", .whole(reason.move ?? 0))
    case .overline: Phrase("reason_overline")
    case .doubleFour: Phrase("reason_double_four")
    case .doubleThree: Phrase("reason_double_three")
    }
}

/// A tap on a column plays its lowest empty cell: what is occupied then is the whole column.
private func occupied(_ state: any State) -> Phrase {
    switch state {
    case is Connect4: Phrase("reason_full")
    case is DotsAndBoxes: Phrase("reason_drawn")
    default: Phrase("reason_occupied")
    }
}

/// The score, or what was captured, as sentences; none where a game has nothing to count.
public func summary(_ session: Session, _ state: any State) -> [Phrase] {
    switch state {
    case let state as DotsAndBoxes:
        let (own, theirs) = (state.scores[session.human], state.scores[1 - session.human])
        return [Phrase("boxes_score", .whole(own), .whole(theirs))]
    case let state as Go where state.isTerminal:
        if case .agreed(let dead) = session.ending { return [score(state, without: dead)] }
        return [score(state, without: [])]
    case let state as Go: return captures(session, state)
    default: return []
    }
}

private func captures(_ session: Session, _ state: Go) -> [Phrase] {
    let captured = Phrase("captured", .whole(state.prisoners[0]), .whole(state.prisoners[1]))
    if state.lastAction != state.pass { return [captured] }
    return [captured, state.toMove == session.human ? Phrase("ai_passed") : Phrase("you_passed")]
}

private func score(_ state: Go, without dead: [Int]) -> Phrase {
    let areas = state.areas(without: dead).map(\.count)
    let winner = winner(state.score(without: dead))
    return Phrase("go_score", .whole(areas[0]), .whole(areas[1]), .number(state.komi), .phrase(winner))
}

/// "black wins by 3.5", within a sentence.
private func winner(_ score: Double) -> Phrase {
    let margin = Phrase.Part.number(abs(score))
    return score == 0 ? Phrase("even") : score > 0 ? Phrase("black_wins_by", margin) : Phrase("white_wins_by", margin)
}

/// Who is ahead, and how sure that is.
private func said(_ estimate: Estimate) -> Phrase {
    let sure =
        switch estimate.certainty {
        case .clear: Phrase("estimate_clear")
        case .likely: Phrase("estimate_likely")
        case .open: Phrase("estimate_open")
        }
    let points = Phrase.Part.number(abs(estimate.score))
    if estimate.score == 0 { return Phrase("estimate_even", .phrase(sure)) }
    return estimate.score > 0
        ? Phrase("estimate_black", points, .phrase(sure)) : Phrase("estimate_white", points, .phrase(sure))
}

extension Strength {
    public var phrase: Phrase {
        switch limit() {
        case .level(let number, _): Phrase("level_\(number)")
        case .policy: Phrase("policy_only")
        case .simulations(let count): Phrase("strength_simulations", .whole(count))
        case .seconds(let count): Phrase("strength_seconds", .whole(Int(count)))
        }
    }
}

extension Begins {
    public var phrase: Phrase {
        switch self {
        case .random: Phrase("begins_random")
        case .you: Phrase("begins_you")
        case .ai: Phrase("begins_ai")
        }
    }
}
