/// The texts about a game beside its board.

import AzxDrawing
import AzxEngine
import AzxNetwork
import AzxPlay

public typealias Phrase = AzxDrawing.Phrase

/// How a game is presented: its title, the prompt for a move, the pieces of players 0 and 1.
public struct Presentation: Sendable {
    public let game: String
    /// The game's title in this app; nil for an unknown game.
    let name: Phrase?
    public let prompt: Phrase
    public let pieces: [Phrase]
}

extension Presentation {
    /// The presentation of a game by its name; a general one for an unknown game, which a record of a later app may have.
    public init(_ game: String) {
        let (name, prompt, pieces): (String?, String, [String]) =
            switch game {
            case "connect4": ("game_connect4", "tap_column", ["red", "yellow"])
            case "tictactoe": ("game_tictactoe", "tap_cell", ["cross", "nought"])
            case "dots_and_boxes": ("game_dots_and_boxes", "tap_edge", ["blue", "orange"])
            case "gomoku": ("game_gomoku", "tap_point", ["black", "white"])
            case "reversi": ("game_reversi", "tap_cell", ["black", "white"])
            case "hex": ("game_hex", "tap_cell", ["red", "blue"])
            case "go": ("game_go", "tap_point_or_pass", ["black", "white"])
            default: (nil, "your_turn", ["sees_player0", "sees_player1"])
            }
        self.init(game: game, name: name.map { Phrase($0) }, prompt: Phrase(prompt), pieces: pieces.map { Phrase($0) })
    }

    /// The title of the game; its own name if this app does not know it.
    public var title: Phrase.Part { name.map { .phrase($0) } ?? .text(game) }

    /// What a side is called in a game that no person here plays: by the record's name, else by its pieces.
    func player(_ player: Player, _ names: [String]?) -> Phrase.Part {
        if let name = names?[player], !name.isEmpty { .text(name) } else { .phrase(pieces[player]) }
    }
}

/// Whose turn it is, or who has won; `isPaused` is about a game that is watched.
public func status(_ session: Session, _ presentation: Presentation, isPaused: Bool = false) -> Phrase {
    switch session.phase {
    case .yours where session.isOfTwo:
        Phrase("moves_next", .opening(presentation.player(session.visible.toMove, session.names)))
    case .yours: presentation.prompt
    case .theirs where session.isWatched:
        Phrase(isPaused ? "paused" : "watching", .phrase(presentation.pieces[session.visible.toMove]))
    case .theirs: Phrase("waiting")
    case .scoring: Phrase("tap_dead")
    case .over: result(session, presentation)
    case .read: Phrase("record_no_result")
    }
}

extension Table {
    /// The line above the board: the status of the game, or in a replay whose turn it is in the shown position.
    public func headline(_ presentation: Presentation) -> Phrase {
        let shown = displayed
        let isEnd = shown.visible.isTerminal || (shown.ending != nil && shown.ply == shown.moves)
        // A game that is watched names its pieces.
        if !isReplay || isEnd || shown.isWatched { return status(shown, presentation, isPaused: isPaused) }
        let next = shown.visible.toMove
        if shown.isRead { return Phrase("moves_next", .opening(presentation.player(next, shown.names))) }
        return Phrase(next == shown.human ? "your_turn" : "ais_turn")
    }
}

extension Table {
    /// The headline on the screen; nil at the end of a game, whose card says the result.
    public func heading(_ presentation: Presentation) -> Phrase? {
        outcome(presentation) == nil ? headline(presentation) : nil
    }
}

/// The sentence of a notice about `state`, the shown position.
public func sentence(_ notice: Notice, _ state: any State) -> Phrase {
    switch notice {
    case .begins(let isHuman): isHuman ? Phrase("you_begin") : Phrase("ai_begins")
    case .notPossible(let reason): Phrase("not_possible", .phrase(why(reason)))
    case .forcedPass(let isHuman) where state is Reversi:
        isHuman ? Phrase("you_cannot_move") : Phrase("ai_cannot_move")
    case .forcedPass(let isHuman): isHuman ? Phrase("you_pass") : Phrase("ai_passes")
    case .resigned: Phrase("you_resigned")
    case .branched: Phrase("library_branched")
    case .scoring(let without, let alive): Phrase("scoring", .phrase(winner(without)), .phrase(winner(alive)))
    case .estimated(let estimate): describe(estimate)
    case .hint(let action, let share, let winRate?):
        Phrase("hint_move_rate", move(action, state), .phrase(.percent(share)), .phrase(.percent(winRate)))
    case .equal(let actions, let winRate):
        Phrase(
            winRate == nil ? "hint_equal" : "hint_equal_rate",
            [.list(actions.map { move($0, state) })] + (winRate.map { [.phrase(.percent($0))] } ?? []))
    case .lost(let action): Phrase("hint_lost", move(action, state))
    case .noHint(let failure): Phrase("no_hint", describe(failure.error, otherwise: "error_ask"))
    case .hint(let action, let share, nil): Phrase("hint_move", move(action, state), .phrase(.percent(share)))
    }
}

/// Why games are kept only while the app runs.
func sentence(_ trouble: Library.Trouble) -> Phrase { Phrase(trouble == .full ? "library_full" : "library_refused") }

/// Why the network thinks less on a device; nil if it does not.
func sentence(_ warmth: Warmth) -> Phrase? {
    switch warmth {
    case .fine: nil
    case .serious: Phrase("device_warm")
    case .critical: Phrase("device_hot")
    }
}

func why(_ refusal: Refusal) -> Phrase {
    Phrase("reason_\(refusal.code.rawValue)", refusal.move.map { [.whole($0)] } ?? [])
}

/// The score, or what was captured, as sentences; none if the game has nothing to count.
public func summary(_ session: Session, _ state: any State) -> [Phrase] {
    switch state {
    case let state as any CountedState: return counts(session, state).map { [$0] } ?? []
    case let state as Go where state.isTerminal: return [score(state, without: session.dead)]
    case let state as Go: return captures(session, state)
    default: return []
    }
}

/// The boxes or discs of both sides; nil for the boxes of a watched game, which the chips show.
func counts(_ session: Session, _ state: any CountedState) -> Phrase? {
    let (scores, isReversi) = (state.scores, state is Reversi)
    if session.hasPerson {
        let key = isReversi ? "discs_score" : "boxes_score"
        return Phrase(key, .whole(scores[session.human]), .whole(scores[other(session.human)]))
    }
    return isReversi ? Phrase("discs_score_watched", .whole(scores[0]), .whole(scores[1])) : nil
}

private func captures(_ session: Session, _ state: Go) -> [Phrase] {
    let captured = Phrase("captured", .whole(state.prisoners[0]), .whole(state.prisoners[1]))
    if session.lastMove != state.pass || !session.hasPerson { return [captured] }
    return [captured, state.toMove == session.human ? Phrase("ai_passed") : Phrase("you_passed")]
}

func score(_ state: Go, without dead: [Int]) -> Phrase {
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
private func describe(_ estimate: Estimate) -> Phrase {
    let sure = Phrase.Part.words("estimate_\(estimate.certainty.rawValue)")
    let (points, spread) = (estimate.points, Phrase.Part.number(Double(estimate.pointsOfSpread)))
    if points == 0 { return Phrase("estimate_even", spread, sure) }
    return Phrase(points > 0 ? "estimate_black" : "estimate_white", .number(Double(abs(points))), spread, sure)
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
    public var phrase: Phrase { Phrase("begins_\(rawValue.lowercased())") }
}

extension Pace {
    public var phrase: Phrase { Phrase("pace_\(rawValue.lowercased())") }
}

extension Units {
    /// The name of the units in a choice, and above a result.
    public var phrase: Phrase {
        switch self {
        case .cpu: Phrase("units_cpu")
        case .cpuAndGpu: Phrase("units_cpu_gpu")
        case .cpuAndNeuralEngine: Phrase("units_cpu_neural")
        case .all: Phrase("units_all")
        }
    }
}
