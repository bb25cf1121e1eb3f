/// The wooden board of Gomoku and Go, and the green one of Reversi: lines, star points, coordinates.

import AzxEngine

struct Wood {
    /// The margin around the cells, for the coordinates.
    static let margin = 0.6
    static let line = 0.035
    /// The least size of the coordinates, in points, if there is room.
    private static let smallest = 8.0

    /// Points a side.
    let size: Int
    /// The names of the columns, from the left, and of the rows, from above.
    let columns: [String]
    let rows: [String]
    /// Whether the board is green and its lines part the cells.
    var isFelt = false

    private var ground: Role { isFelt ? .felt : .wood }
    private var ink: Role { isFelt ? .feltLine : .woodLine }

    func draw(_ scale: Scale, _ shapes: inout [Shape]) {
        let side = Double(size) + 2 * Self.margin
        let stops = [Stop(0, .mix(ground, .white, 0.1)), Stop(1, .mix(ground, ink, 0.12))]
        let fill = Fill.linear(from: Point(0, 0), to: Point(side, side), stops)
        shapes.append(.fill(.box(Box(0, 0, side, side), corner: scale.points(10)), fill))
        if isFelt { drawBorders(scale, &shapes) } else { for at in 0..<size { drawLines(at, scale, &shapes) } }
        for point in isFelt ? [] : Tables.starPoints(size) {
            shapes.disc(Point(x(point[1]), x(point[0])), max(0.1, 1.5 * scale.crisp(Self.line)), .role(.woodLine))
        }
        for at in 0..<size { drawNames(at, scale, &shapes) }
    }

    /// The place of a line, across or down.
    private func x(_ at: Int) -> Double { Self.margin + Double(at) + 0.5 }

    private func drawLines(_ at: Int, _ scale: Scale, _ shapes: inout [Shape]) {
        let thin = scale.crisp(Self.line)
        let pixels = (thin * scale.unit * scale.pixels).rounded()
        // Around the board nearly twice as wide, with its middle on the same place of a pixel.
        let isBorder = at == 0 || at == size - 1
        let wide = (2 * pixels - pixels.truncatingRemainder(dividingBy: 2)) / pixels * thin
        let stroke = Stroke(.role(.woodLine), isBorder ? wide : thin, isRound: false)
        let (first, last) = (x(0), x(size - 1))
        shapes.append(.stroke(.line(Point(first, x(at)), Point(last, x(at))), stroke))
        shapes.append(.stroke(.line(Point(x(at), first), Point(x(at), last)), stroke))
    }

    private func drawBorders(_ scale: Scale, _ shapes: inout [Shape]) {
        let stroke = Stroke(.role(ink), scale.crisp(Self.line), isRound: false)
        let (first, last) = (Self.margin, Self.margin + Double(size))
        for at in 0...size {
            let place = first + Double(at)
            shapes.append(.stroke(.line(Point(first, place), Point(last, place)), stroke))
            shapes.append(.stroke(.line(Point(place, first), Point(place, last)), stroke))
        }
    }

    /// Below the columns and left of the rows.
    private func drawNames(_ at: Int, _ scale: Scale, _ shapes: inout [Shape]) {
        let text = max(0.34, min(scale.points(Self.smallest), 0.46))
        let edge = (Self.margin - 0.05) / 2
        let tint = isFelt ? Tint.on(.role(ground)) : Tint.mix(ink, .black, 0.4)
        let below = Self.margin + Double(size) + edge
        shapes.write(.text(columns[at]), Point(x(at), below), text, tint)
        shapes.write(.text(rows[at]), Point(Self.margin - edge, x(at)), text, tint)
    }
}
