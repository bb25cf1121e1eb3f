import AzxEngine
import Observation

/// A game of two people at one device: what each of them does, and their clock. No network is needed.
@MainActor
@Observable
public final class SharedTable {
    public let game: Game
    public private(set) var session: Session
    private var identity: Identity
    private let settings: Settings
    /// Why the move that was wanted last cannot be made; nil if nothing is wrong.
    public private(set) var refusal: Refusal?
    /// The stones of Go that are marked as dead, after two passes.
    private var dead: [Int] = []
    @ObservationIgnored private var revision: String?
    @ObservationIgnored private let library: Library?
    @ObservationIgnored private let now: () -> Int
    /// The start of the mover's running time; nil while the board is not seen.
    @ObservationIgnored private var since: Int?
    /// The seconds that the mover had left at the last tick; a screen with the clock is drawn again if they change.
    private var ticked: Int?

    /// Games are kept in `library`; `now` counts milliseconds.
    public init(_ kept: Kept, _ game: Game, in library: Library?, now: @escaping () -> Int) {
        (session, identity, settings, revision) = (kept.session, kept.identity, kept.settings, kept.revision)
        (self.game, self.library, self.now) = (game, library, now)
    }

    public var shared: Shared { identity.shared ?? Shared() }
    public var id: String { identity.id }
    public var kept: Kept { Kept(session, settings: settings, identity, revision: revision) }
    public var record: GameRecord { GameRecord(kept, game, board: settings) }

    /// Whether the last position is shown, and a move can be made in it.
    public var canPlay: Bool { session.phase == .yours && session.isAtEnd && shared.asker == nil }
    public var isScoring: Bool { session.phase == .scoring }
    /// The dead stones and areas that the board shows; nil if all stones count.
    public var counted: Counted? { session.counted(marked: dead) }

    // MARK: Time

    /// The milliseconds that a player has left; nil without a clock.
    public func left(of player: Player) -> Int? {
        _ = ticked
        guard let left = shared.clock?.left(at: session.moves)[player] else { return nil }
        return player == session.latest.toMove ? max(0, left - thought) : left
    }

    /// How long the mover has thought since the last note; the clock runs from the first move on.
    private var thought: Int { isTimed ? since.map { now() - $0 } ?? 0 : 0 }

    private var isTimed: Bool { shared.clock != nil && session.moves > session.setUp && session.phase == .yours }

    /// The board is seen.
    public func enter() { since = since ?? now() }

    /// The board is not seen any more: the clock stops, and the time so far is kept.
    public func leave() {
        spend()
        since = nil
        keep()
    }

    /// Let the clock run; the game ends if the mover has no time left. Whether it has ended.
    @discardableResult
    public func tick() -> Bool {
        let left = isTimed ? left(of: session.latest.toMove) : nil
        let seconds = left.map { ($0 + 999) / 1000 }
        // A screen is drawn again at each write.
        if seconds != ticked { ticked = seconds }
        if left != 0 { return false }
        spend()
        end(.lost(by: session.latest.toMove, isLate: true))
        return true
    }

    /// Note what the mover has thought until now.
    private func spend() {
        let gone = thought
        if since != nil { since = now() }
        if gone > 0 { wind { $0.add(-gone, session.latest.toMove, at: session.moves) } }
    }

    /// Have another clock, if there is one. It is made first: what is being changed cannot be read.
    private func wind(_ change: (Clock) -> Clock) {
        let clock = shared.clock.map(change)
        identity.shared?.clock = clock
    }

    // MARK: Moves

    /// Make a move of the player to move, or mark a chain as dead; `refusal` says why a move cannot be made.
    public func play(_ action: Int) {
        if isScoring, session.isAtEnd { return toggle(action) }
        if !canPlay || tick() { return }
        refusal = session.whyIllegal(action)
        let mover = session.latest.toMove
        guard refusal == nil, let next = try? session.play(action) else { return }
        spend()
        session = next
        wind { $0.add(1000 * $0.increment, mover, at: next.moves) }
        dead = []
        if since != nil { since = now() }
        keep()
    }

    public func pass() {
        if let pass = passOf(session.latest) { play(pass) }
    }

    private func toggle(_ at: Int) {
        guard let state = session.latest as? Go, state.cells.indices.contains(at), state.cells[at] != Cell.empty else { return }
        dead = toggleChain(state, dead, at)
    }

    /// Both agree on the dead stones.
    public func settle() {
        if isScoring { change(session.agree(dead)) }
    }

    /// Take both passes back.
    public func playOn() {
        if isScoring { change(session.playOn()) }
    }

    public var canUndo: Bool { session.ending == nil && session.canUndo && shared.asker == nil }

    /// Take the last move back, or ask the other one whether it may be.
    public func undo() {
        if !canUndo { return }
        spend()
        if !shared.isUndoAsked { return takeBack() }
        // Who has made the last move that was chosen.
        let asker = session.undo().latest.toMove
        identity.shared?.asker = asker
        keep()
    }

    /// What the other one says to a move that is to be taken back.
    public func answer(_ isAgreed: Bool) {
        if shared.asker == nil { return }
        identity.shared?.asker = nil
        if isAgreed { takeBack() } else { keep() }
    }

    private func takeBack() {
        let before = session.undo()
        wind { $0.cut(before.moves) }
        change(before)
    }

    public var canResign: Bool { session.phase == .yours && session.ending == nil }

    /// The player to move gives the game up.
    public func resign() {
        if !canResign { return }
        spend()
        end(.lost(by: session.latest.toMove, isLate: false))
    }

    private func end(_ ending: Ending) {
        identity.shared?.asker = nil
        change(session.end(ending))
    }

    private func change(_ next: Session) {
        (session, refusal, dead) = (next, nil, [])
        if since != nil { since = now() }
        keep()
    }

    /// Show the position after `moves` moves.
    public func show(_ moves: Int) { (session, refusal) = (session.show(moves), nil) }

    /// A game of the same two people, who swap sides.
    public func rematch() -> Kept {
        let (names, clock) = (session.names ?? ["", ""], shared.clock)
        let agreed = Agreed(
            names: [names[1], names[0]], isUndoAsked: shared.isUndoAsked, minutes: (clock?.base ?? 0) / 60,
            increment: clock?.increment ?? 0)
        return game.begin(settings, from: Array(session.states.prefix(session.setUp + 1)), agreed)
    }

    /// The game as SGF if the game has one, else as a line of moves.
    public var text: String? { kept.text(game, names: session.names ?? ["", ""]) }

    /// Save the game in the library, once it has begun.
    private func keep() {
        guard let library, library[identity.id] != nil || session.isBegun || session.setUp > 0 else { return }
        let put = library.keep(record, from: revision)
        (identity.id, identity.beside, revision) = (put.id, put.beside, put.revision)
    }
}

extension Kept {
    /// The game as a text: SGF if the game has one, else a line of moves; `names` are those of players 0 and 1.
    public func text(_ game: Game, names: [String]) -> String? { written(game, names).map { $0.sgf ?? $0.line } }

    /// The part of a link after the #; nil if it is too long for a link.
    public func link(_ game: Game) -> String? { written(game, ["", ""], isLink: true)?.link(game.name, tellsSetUp: true) }

    private func written(_ game: Game, _ names: [String], isLink: Bool = false) -> WrittenGame? {
        var (resigned, late): (Player?, Player?) = (nil, nil)
        if case .lost(let by, let isLate) = session.ending { (resigned, late) = (by, isLate ? by : nil) }
        if session.ending == .resigned { resigned = session.human }
        // Discs turn: moves alone lead to a position of Reversi, and SGF's readers know no other way.
        let setUp = game.name == "reversi" && !isLink ? 0 : session.setUp
        return try? WrittenGame(
            game, settings, session.states, resigned: resigned, late: late, names: names, dead: session.dead,
            beside: identity.beside, setUp: setUp)
    }

    /// The same game, played here by a person against a network, or by nobody.
    public func played(by human: Player) -> Kept {
        var (session, identity) = (session, identity)
        (session.human, session.names) = (human, nil)
        (identity.sides, identity.shared) = (nil, nil)
        return Kept(session, settings: settings, identity)
    }
}
