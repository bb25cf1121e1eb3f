import AzxEngine

/// The piece of a side as its board draws it: shapes in a square of one unit.
public func emblem(of game: String, _ player: Player) -> [Shape] {
    let (centre, radius) = (Point(0.5, 0.5), 0.42)
    var shapes: [Shape] = []
    switch game {
    case "connect4":
        shapes.disc(centre, radius, .mix(disc(player), .black, 0.18))
        shapes.disc(centre, radius * 0.84, .role(disc(player)))
    case "tictactoe":
        // A darker rim, so that yellow is seen on white.
        for (tint, width) in [(Tint.mix(disc(player), .black, 0.35), 0.22), (.role(disc(player)), 0.17)] {
            if player == 0 { shapes.cross(centre, arm: 0.29, tint, width) } else { shapes.ring(centre, 0.29, tint, width) }
        }
    case "hex":
        shapes.disc(centre, radius, .role(pieceRole(game, player)))
        if player == 1 { shapes.ring(centre, radius * 0.72, .fade(.white, 0.7), 0.09) }
    case "dots_and_boxes": shapes.box(Box(around: centre, half: radius), .role(pieceRole(game, player)))
    // As large as fits with its shadow.
    default:
        Stones.draw(mark(player), centre, grown: 0.75, &shapes)
        // No board is behind it: black would not be seen on a dark screen.
        if player == 0 { shapes.ring(centre, 0.39, .role(.edge), 0.03) }
    }
    return shapes
}

/// The bar with the chances, in heights of it: the near player's pieces colour their share of its length, 0 to 1, the
/// other's the rest. Without a share it is half and half, and pale.
public func evaluationBar(of game: String, near: Player, share: Double?, length: Double) -> [Shape] {
    let colour = { (player: Player) -> Tint in
        let tint = Tint.role(pieceRole(game, player))
        return share == nil ? .fade(tint, 0.25) : tint
    }
    let own = length * (share ?? 0.5)
    var shapes: [Shape] = []
    shapes.box(Box(own, 0, length - own, 1), colour(other(near)))
    shapes.box(Box(0, 0, own, 1), colour(near))
    // White is seen on white, and black on black.
    shapes.append(.stroke(.box(Box(0, 0, length, 1), corner: 0), Stroke(.role(.edge), 0.2)))
    return shapes
}

/// The colour of a side's pieces, seen from afar.
private func pieceRole(_ game: String, _ player: Player) -> Role {
    switch game {
    case "connect4", "tictactoe": disc(player)
    case "hex": player == 0 ? .red : .blue
    case "dots_and_boxes": player == 0 ? .blue : .orange
    default: player == 0 ? .black : .white
    }
}

private func disc(_ player: Player) -> Role { player == 0 ? .red : .yellow }
