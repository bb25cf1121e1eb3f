import AzxEngine

/// What a side of a game plays with, as its board draws it: shapes in a square of one unit.
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
        shapes.disc(centre, radius, .role(player == 0 ? .red : .blue))
        if player == 1 { shapes.ring(centre, radius * 0.72, .fade(.white, 0.7), 0.09) }
    case "dots_and_boxes": shapes.box(Box(around: centre, half: radius), .role(player == 0 ? .blue : .orange))
    // As large as fits with its shadow.
    default: Stones.draw(mark(player), centre, grown: 0.75, &shapes)
    }
    return shapes
}

private func disc(_ player: Player) -> Role { player == 0 ? .red : .yellow }
