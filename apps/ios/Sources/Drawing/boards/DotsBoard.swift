import AzxEngine

/// Dots and Boxes: edges to tap between dots; boxes show who completed them.
///
/// A spot is an edge, numbered as the game's actions are. A unit is the step between two dots.
struct DotsBoard: Board {
    private static let margin = 0.32
    /// The largest distance of a touch from its edge.
    private static let farthest = 0.44
    /// The reach of an edge's frame to both sides.
    private static let reach = 0.3
    /// The size of the dots' names.
    private static let names = 0.17
    /// The largest width of a drawn edge, in points.
    private static let thickest = 9.0

    let shown: Shown
    let state: DotsAndBoxes

    private var size: Int { state.size }
    var spots: Int { state.pass }
    var width: Double { Double(size) + 2 * Self.margin }
    var height: Double { width }

    private func dot(row: Int, column: Int) -> Point { Point(Self.margin + Double(column), Self.margin + Double(row)) }

    func shapes(_ scale: Scale) -> [Shape] {
        var shapes: [Shape] = []
        let thick = min(0.11, scale.points(Self.thickest))
        let (body, corner) = (Box(0, 0, width, height).inset(scale.points(1)), scale.points(16))
        shapes.box(body, corner: corner, .role(.card))
        shapes.append(.stroke(.box(body, corner: corner), Stroke(.role(.line), scale.points(1))))
        for box in state.owners.indices where state.owners[box] != Cell.empty { drawBox(box, &shapes) }
        drawEdges(thick, &shapes)
        for row in 0...size {
            for column in 0...size { shapes.disc(dot(row: row, column: column), thick * 0.85, .role(.ink)) }
        }
        drawNames(&shapes)
        for edge in 0..<spots { drawShare(edge, &shapes) }
        return shapes
    }

    /// Above the columns of dots and left of the rows.
    private func drawNames(_ shapes: inout [Shape]) {
        let (away, tint) = (Self.margin * 0.38, Tint.mix(.card, .ink, 0.7))
        for at in 0...size {
            let along = Self.margin + Double(at)
            shapes.write(.text(DotsAndBoxes.letter(of: at)), Point(along, away), Self.names, tint)
            shapes.write(.text(DotsAndBoxes.number(of: at)), Point(away, along), Self.names, tint)
        }
    }

    private func drawBox(_ at: Int, _ shapes: inout [Shape]) {
        let owner = Player(state.owners[at]) - 1
        let role: Role = owner == 0 ? .blue : .orange
        let corner = dot(row: at / size, column: at % size)
        let box = Box(corner.x, corner.y, 1, 1)
        shapes.box(box, .fade(role, state.completed.contains(at) ? 1 : 0.88))
        // Other people's boxes only have their colours.
        if shown.human == reader { return }
        let name: Phrase.Part = .words(owner == shown.human ? "board_you" : "board_ai")
        shapes.write(name, box.centre, 0.24, .on(.role(role)))
    }

    /// The free edges first, so that drawn ones lie over their ends, and the last one over all.
    private func drawEdges(_ thick: Double, _ shapes: inout [Shape]) {
        for edge in 0..<spots where state.edges[edge] == 0 { drawFree(edge, thick, &shapes) }
        for edge in 0..<spots where state.edges[edge] != 0 && edge != shown.last {
            drawEdge(edge, .role(.ink), thick, &shapes)
        }
        if let last = shown.last, last < spots {
            drawEdge(last, .role(.accent), thick * 1.25, grown: shown.growth(last), &shapes)
        }
    }

    private func drawFree(_ edge: Int, _ thick: Double, _ shapes: inout [Shape]) {
        if let strength = shown.heat.strength(edge) {
            drawEdge(edge, warmth(strength), thick, &shapes)
        } else {
            drawEdge(edge, .role(.edge), thick * 0.35, &shapes)
        }
        if edge == shown.touched, isOpen(edge) { drawEdge(edge, .fade(.accent, 0.6), thick, &shapes) }
    }

    /// Draw an edge, or as much of it, 0 to 1, as has `grown` from its upper or left dot.
    private func drawEdge(
        _ edge: Int, _ tint: Tint, _ width: Double, grown: Double = 1, _ shapes: inout [Shape]
    ) {
        let place = state.place(of: edge)
        let start = dot(row: place.row, column: place.column)
        let (right, down) = place.isAcross ? (grown, 0) : (0, grown)
        shapes.line(start, Point(start.x + right, start.y + down), tint, width)
    }

    private func drawShare(_ edge: Int, _ shapes: inout [Shape]) {
        guard let strength = shown.heat.strength(edge), let figure = shown.heat.figure(edge) else { return }
        let centre = frame(of: edge).centre
        shapes.disc(centre, 0.16, warmth(strength))
        shapes.write(.text(figure), centre, 0.16, .on(warmth(strength)))
    }

    private func warmth(_ strength: Double) -> Tint { .mix(.card, .warm, 0.2 + 0.8 * strength) }

    /// The nearest edge; nil outside the board and in the very middle of a box.
    func spot(at point: Point) -> Int? {
        guard Box(0, 0, width, height).contains(point) else { return nil }
        let (right, down) = (point.x - Self.margin, point.y - Self.margin)
        let (row, column) = (nearest(down), nearest(right))
        let (toAcross, toDown) = (abs(down - Double(row)), abs(right - Double(column)))
        if min(toAcross, toDown) > Self.farthest { return nil }
        if toAcross <= toDown { return row * size + within(right) }
        return size * (size + 1) + within(down) * (size + 1) + column
    }

    /// The row, or column, of dots that is nearest.
    private func nearest(_ along: Double) -> Int { min(max(Int(along.rounded()), 0), size) }

    /// The row, or column, of boxes.
    private func within(_ along: Double) -> Int { min(max(Int(along.rounded(.down)), 0), size - 1) }

    func frame(of spot: Int) -> Box {
        let place = state.place(of: spot)
        let first = dot(row: place.row, column: place.column)
        return place.isAcross
            ? Box(first.x, first.y - Self.reach, 1, 2 * Self.reach)
            : Box(first.x - Self.reach, first.y, 2 * Self.reach, 1)
    }

    func action(of spot: Int) -> Int { spot }

    /// A watched game has no person: the colours are the names.
    var title: Phrase.Part {
        guard 0...1 ~= shown.human else {
            return .words("board_dots_watched", .whole(size), .whole(state.scores[0]), .whole(state.scores[1]))
        }
        let (you, ai) = (state.scores[shown.human], state.scores[other(shown.human)])
        return .words("board_dots", .whole(size), .whole(you), .whole(ai))
    }

    func speech(of spot: Int) -> [Phrase.Part] {
        let isDrawn = state.edges[spot] != 0
        let gain: [Phrase.Part] = !isDrawn && state.completes(spot) ? [.words("board_completes")] : []
        return [name(spot), .words(isDrawn ? "board_drawn" : "board_free")] + gain + shown.heat.speech(spot)
    }

    private func name(_ edge: Int) -> Phrase.Part {
        let place = state.place(of: edge)
        return .words(place.isAcross ? "board_across" : "board_down", .whole(place.row + 1), .whole(place.column + 1))
    }

    func announcement(of action: Int) -> Phrase.Part? {
        action < spots ? .words("board_edge_drawn", name(action)) : nil
    }
}

extension DotsAndBoxes: Drawn {
    public func drawing(_ shown: Shown) -> any Board { DotsBoard(shown: shown, state: self) }
}
