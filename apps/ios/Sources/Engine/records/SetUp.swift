/// Stones that stand before a game's first move, as moves that bring them there: AB, AW, PL and HA of SGF.
///
/// Each side places a stone in turn, and passes if it has none left: a handicap of two is `D4 pass F6`. If every chain of a
/// position of Go has a liberty, so has each part of it, and nothing is taken on the way. Games without a pass only allow
/// positions that moves in turn lead to. Reversi's own first four discs are no moves.

private let noHandicap = ["", "0", "1"]

/// Whether a node sets stones up or takes them away.
func setsUp(_ node: Sgf.Node) -> Bool { ["AB", "AW", "AE"].contains { node[$0] != nil } }

/// The moves before the first move of the main line, which player `begins` makes; nil if there is no move, and PL says
/// whose turn it is. RecordError if no moves lead there.
func setUp(_ start: any State, _ nodes: [Sgf.Node], begins: Player?) throws -> [Record.Move] {
    let first = nodes.firstIndex { $0["B"] != nil || $0["W"] != nil } ?? nodes.count
    let (before, later) = (nodes.prefix(first + 1), nodes.dropFirst(first + 1))
    if nodes.contains(where: { $0["AE"] != nil }) || later.contains(where: setsUp) { throw RecordError(.setup) }
    let stones = try ["AB", "AW"].map { try pointNames(start, before, $0, most: RecordLimits.moves) }
    let isEmpty = stones.allSatisfy(\.isEmpty)
    if let reversi = start as? Reversi, !isEmpty {
        if try stones.map(Set.init) != firstDiscs(reversi) { throw RecordError(.setup) }
        return []
    }
    if isEmpty, begins != 0, !noHandicap.contains(firstValue(nodes[0], "HA")) { throw RecordError(.setup) }
    let turn = ["B": 0, "W": 1][firstValue(nodes[0], "PL").prefix(1).uppercased()]
    return try inTurn(start, stones, begins: begins ?? turn)
}

/// The discs of each side with which Reversi begins.
private func firstDiscs(_ start: Reversi) throws -> [Set<String>] {
    try [0, 1].map { player in Set(try start.cells.indices.filter { start.cells[$0] == mark(player) }.map(start.label)) }
}

/// Both sides' stones in turn. In a game with a pass that follows if it gives `begins` the turn.
private func inTurn(_ start: any State, _ stones: [[String]], begins: Player?) throws -> [Record.Move] {
    let pass = try pointName(start, "")
    var (left, moves) = (stones.map { $0[...] }, [Record.Move]())
    while left.contains(where: { !$0.isEmpty }) {
        let player = moves.count % 2
        let name = left[player].popFirst() ?? pass
        if name.isEmpty { throw RecordError(.setup) }
        moves.append(Record.Move(name: name, player: player))
    }
    if !moves.isEmpty, !pass.isEmpty, begins == 1 - moves.count % 2 {
        moves.append(Record.Move(name: pass, player: moves.count % 2))
    }
    return moves
}
