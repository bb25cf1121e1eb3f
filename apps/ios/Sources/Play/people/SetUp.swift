/// A position that people set up: pieces by their cells, or moves if only the game's rules can make its positions.

import AzxEngine

/// Why a position is impossible: a rule's own refusal, pieces whose numbers do not fit the turn, a chain without a liberty, or
/// no moves that lead there.
public enum Impossible: Error, Equatable {
    case rule(Refusal)
    case turn
    case noLiberty(Int)
    case noWay
}

/// The position that was set up so far; `moves` are those of games without free pieces.
public struct SetUp: Sendable {
    public let game: Game
    public let settings: Settings
    public private(set) var pieces: [Int: Player] = [:]
    private var mover: Player = 0
    public private(set) var moves: [Int] = []
    private let start: any State

    /// The empty board; GameError if the game does not allow the settings.
    public init(_ game: Game, _ settings: Settings) throws {
        (self.game, self.settings, start) = (game, settings, try game.begin(settings))
    }

    /// Whether a position is set up by both sides' moves: discs that turn, and boxes with owners, cannot be put.
    public var isByMoves: Bool { start is any CountedState }

    private var played: [any State] { replay(start, moves, whole: false) ?? [start] }
    private var latest: any State { played.last ?? start }

    /// The position to show, possible or not.
    public var shown: any State { isByMoves ? latest : arrange(start, pieces) }
    /// Who moves next.
    public var toMove: Player { isByMoves ? latest.toMove : mover }
    public var isEmpty: Bool { pieces.isEmpty && moves.isEmpty }

    /// Put a piece of `player` on a cell, or make the next move; a disc of Connect4 falls. Impossible if a move is illegal.
    public mutating func put(_ action: Int, _ player: Player) throws {
        if !isByMoves {
            if let at = landing(action) { pieces[at] = player }
            return
        }
        if let refusal = latest.whyIllegal(action) { throw Impossible.rule(refusal) }
        moves.append(action)
        while isForcedPass(latest) { moves.append(latest.legalActions()[0]) }
    }

    /// Remove the piece on a cell (in Connect4 the column's highest one), or the last move.
    public mutating func take(_ action: Int) {
        if isByMoves {
            if !moves.isEmpty { moves.removeLast() }
            while let last = moves.last, (try? start.label(last)) == "pass" { moves.removeLast() }
            return
        }
        if let at = column(of: action).first(where: { pieces[$0] != nil }) { pieces[at] = nil }
    }

    private func landing(_ action: Int) -> Int? {
        start is any ColumnState ? column(of: action).last { pieces[$0] == nil } : action
    }

    /// The cells of a column of Connect4, the highest first; elsewhere the cell alone.
    private func column(of action: Int) -> [Int] {
        guard let state = start as? any ColumnState else { return [action] }
        return (0..<state.board[0]).map { $0 * state.width + action % state.width }
    }

    /// Let a player move; only pieces leave that open.
    public mutating func letMove(_ player: Player) { mover = player }

    public mutating func clear() { (pieces, mover, moves) = ([:], 0, []) }

    /// All positions from the empty board to this one. Impossible if the rules do not allow it.
    public func states() throws -> [any State] {
        let found = isByMoves ? played : start is Go ? try placeWithPasses() : try placeInTurn()
        if found.last?.isTerminal == true { throw Impossible.rule(Refusal(.over)) }
        return found
    }

    /// Stones of Go in turn; a side that has none left passes.
    private func placeWithPasses() throws -> [any State] {
        guard let start = start as? Go, let shown = shown as? Go else { return [] }
        if let at = pieces.keys.sorted().first(where: { !shown.hasLiberty($0) }) { throw Impossible.noLiberty(at) }
        var left = [0, 1].map { player in pieces.filter { $0.value == player }.keys.sorted()[...] }
        var states: [Go] = [start]
        while left.contains(where: { !$0.isEmpty }) { states.append(try after(states[states.count - 1], &left)) }
        let last = states[states.count - 1]
        if last.toMove != mover { states.append(try last.apply(last.pass)) }
        return states
    }

    private func after(_ state: Go, _ left: inout [ArraySlice<Int>]) throws -> Go {
        let action = left[state.toMove].popFirst() ?? state.pass
        if let refusal = state.whyIllegal(action) { throw Impossible.rule(refusal) }
        return try state.apply(action)
    }

    /// Pieces that stay where they are, one of each side in turn.
    private func placeInTurn() throws -> [any State] {
        let first = pieces.values.count { $0 == 0 }
        if 2 * first - pieces.count != mover { throw Impossible.turn }
        var placing = Placing(pieces)
        guard let order = try placing.walk(start) else { throw placing.refusal.map { Impossible.rule($0) } ?? Impossible.noWay }
        return replay(start, order, whole: false) ?? [start]
    }
}

/// Looks for an order of moves that leads to these pieces.
private struct Placing {
    /// The most tries.
    private static let mostTries = 50_000
    private let order: [(at: Int, player: Player)]
    private var left: Set<Int>
    private var failed: Set<Set<Int>> = []
    private var tries = 0
    /// Why the last piece could not be placed.
    private(set) var refusal: Refusal?

    init(_ pieces: [Int: Player]) {
        order = pieces.sorted { $0.key > $1.key }.map { (at: $0.key, player: $0.value) }
        left = Set(pieces.keys)
    }

    mutating func walk(_ state: any State) throws -> [Int]? {
        if left.isEmpty { return [] }
        // A row that has won stays there: no order helps.
        if state.isTerminal { throw Impossible.rule(Refusal(.over)) }
        tries += 1
        if tries > Self.mostTries || failed.contains(left) { return nil }
        for (at, player) in order where player == state.toMove && left.contains(at) {
            if let why = state.whyIllegal(at) {
                // A disc that would hang in the air comes later.
                if why.code != .notLowest { refusal = why }
                continue
            }
            left.remove(at)
            if let rest = try walk(try state.apply(at)) { return [at] + rest }
            left.insert(at)
        }
        failed.insert(left)
        return nil
    }
}

extension SetUp {
    /// The text that is saved: the game and its settings, the player to move, pieces as cell:player, moves.
    public var text: String {
        let pieces = pieces.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        return [head, "\(mover)", pieces.joined(separator: " "), moves.map(String.init).joined(separator: " ")]
            .joined(separator: "\n")
    }

    private var head: String {
        let all = game.complete(settings)
        return ([game.name] + game.settings.map { "\($0.name)=\(all[$0.name] ?? $0.usual)" }).joined(separator: " ")
    }

    /// What was left on the board of `empty`; nil if the text is of another one, or damaged.
    public init?(_ empty: SetUp, left text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == empty.head, let mover = Int(lines[1]), 0...1 ~= mover else { return nil }
        self = empty
        self.mover = mover
        for pair in lines[2].split(separator: " ") {
            let parts = pair.split(separator: ":").compactMap { Int($0) }
            guard parts.count == 2, 0..<start.actions ~= parts[0], 0...1 ~= parts[1] else { return nil }
            pieces[parts[0]] = parts[1]
        }
        moves = lines[3].split(separator: " ").compactMap { Int($0) }
        if replay(start, moves, whole: false) == nil { return nil }
    }
}
