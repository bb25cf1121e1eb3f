import AzxBundle
import AzxDrawing
import AzxEngine
import AzxPlay
import Observation

/// The screen on which a position is set up. What was set up is kept at each change: the app may be ended meanwhile.
@MainActor
@Observable
public final class SettingUp {
    /// What a tap does: put a piece of player 0 or 1, or take one away.
    public enum Tool: Hashable, Sendable { case put(Player), take }

    public private(set) var setUp: SetUp
    public var tool = Tool.put(0)
    /// Why the last tap did nothing; nil if it did something.
    private var refused: Impossible?
    private var isAlone = false
    public let presentation: Presentation
    @ObservationIgnored private let kept: any Keeping
    @ObservationIgnored private let library: Library?
    private static let name = "set up"

    /// The board of a `position`, as it was left before on the same board. GameError if there is no such board.
    public init(_ position: Position, keeping kept: any Keeping, in library: Library?) throws {
        let game = try Game.find(position.game)
        let empty = try SetUp(game, position.settings.mapValues { .text($0) })
        setUp = kept.text(Self.name).flatMap { SetUp(empty, left: $0) } ?? empty
        presentation = Presentation(game.name)
        (self.kept, self.library) = (kept, library)
    }

    private func change(_ how: (inout SetUp) throws -> Void) {
        (refused, isAlone) = (nil, false)
        var next = setUp
        do {
            try how(&next)
            setUp = next
        } catch {
            refused = error as? Impossible
        }
        kept.keep(setUp.text, Self.name)
    }

    /// A spot of the board is tapped.
    public func choose(_ spot: Int) {
        guard let board else { return }
        let action = board.action(of: spot)
        change { setUp in
            switch tool {
            case .put(let player): try setUp.put(action, player)
            case .take: setUp.take(action)
            }
        }
    }

    public func lift(at point: AzxDrawing.Point) {
        if let spot = board?.spot(at: point) { choose(spot) }
    }

    public func letMove(_ player: Player) { change { $0.letMove(player) } }

    public func clear() { change { $0.clear() } }

    public var board: (any Board)? {
        try? AzxDrawing.board(Shown(setUp.shown, human: nobody, last: nil, canPlay: false))
    }

    /// All positions that lead there; nil if the rules forbid it.
    private var states: [any State]? { try? setUp.states() }

    public var isPossible: Bool { states != nil }

    /// The sentences about the position: how it is set up, and why it cannot be played.
    public var asides: [Phrase] {
        var said = setUp.isByMoves ? [Phrase("set_up_by_moves")] : []
        if isAlone { said.append(Phrase("people_no_review")) }
        if let refused { return said + [sentence(refused)] }
        do { _ = try setUp.states() } catch { if let why = error as? Impossible { said.append(sentence(why)) } }
        return said
    }

    private func sentence(_ impossible: Impossible) -> Phrase {
        switch impossible {
        case .rule(let refusal): return Phrase("not_possible", .phrase(why(refusal)))
        case .noLiberty(let at): return Phrase("setup_no_liberty", .text((try? setUp.shown.label(at)) ?? ""))
        case .noWay: return Phrase("setup_no_way")
        case .turn:
            let counts = [0, 1].map { player in setUp.pieces.values.count { $0 == player } }
            let pieces = [0, setUp.toMove].map { Phrase.Part.opening(.phrase(presentation.pieces[$0])) }
            return Phrase("setup_turn", pieces[0], pieces[1], .whole(counts[0]), .whole(counts[1]))
        }
    }

    /// The position for two people; nil if the rules forbid it.
    public var position: Position? {
        states.map { Position(game: setUp.game.name, settings: texts, actions: $0.compactMap(\.lastAction)) }
    }

    private var texts: [String: String] { setUp.settings.mapValues { $0.description } }

    private func kept(_ human: Player) -> Kept? {
        guard let states, let last = states.last else { return nil }
        let found = setUp.game.begin(setUp.game.complete(setUp.settings), from: states, Agreed())
        return found.played(by: human == nobody ? nobody : last.toMove)
    }

    /// The position as SGF if the game has one, else as a line of moves, and as the end of a link.
    public var record: String? { kept(nobody)?.text(setUp.game, names: ["", ""]) }
    public var link: String? { kept(nobody)?.link(setUp.game) }

    /// The board of a game that the person and a network play on from here; nil if none plays this board.
    public func playAgainst(_ store: Store, _ given: GivenBundles?) async -> Place? {
        guard let kept = kept(0), let library else { return nil }
        await library.open()
        let record = GameRecord(kept, setUp.game, board: kept.settings)
        guard let found = try? await record.find(store, given) else {
            isAlone = true
            return nil
        }
        let own = GameRecord(kept, setUp.game, board: kept.settings, Opponent(found), Strength.level3)
        return .board(found, game: library.keep(own).id)
    }
}
