import AzxPlay
import AzxScreens
import SwiftUI

/// The board of a table: drawn, tapped, and spoken spot by spot.
struct BoardView: View {
    let table: AzxPlay.Table
    let presentation: Presentation

    var body: some View {
        let board = PlainBoard(table.session, heat: table.heat)
        GeometryReader { geometry in
            let unit = geometry.size.width / board.width
            Canvas { context, _ in
                for shape in board.shapes { draw(shape, unit, &context) }
            }
            .contentShape(Rectangle())
            .onTapGesture(coordinateSpace: .local) { point in
                if let action = board.action(atX: point.x / unit, y: point.y / unit) { table.play(action) }
            }
            // A canvas has no parts that a screen reader could find.
            .accessibilityChildren {
                ForEach(board.spots) { spot in
                    Rectangle()
                        .frame(width: spot.width * unit, height: spot.height * unit)
                        .position(x: (spot.x + spot.width / 2) * unit, y: (spot.y + spot.height / 2) * unit)
                        .accessibilityLabel(spot.said.map { say($0) }.joined(separator: say("board_comma")))
                        .accessibilityAddTraits(.isButton)
                        .accessibilityAction { table.play(spot.action) }
                }
            }
        }
        .aspectRatio(board.width / board.height, contentMode: .fit)
        .frame(maxWidth: 640)
        .accessibilityLabel(say(presentation.title))
    }

    private func draw(_ shape: PlainBoard.Shape, _ unit: Double, _ context: inout GraphicsContext) {
        switch shape {
        case .disc(let x, let y, let radius, let ink):
            let frame = CGRect(
                x: (x - radius) * unit, y: (y - radius) * unit, width: 2 * radius * unit, height: 2 * radius * unit)
            context.fill(Path(ellipseIn: frame), with: .color(color(ink)))
            context.stroke(Path(ellipseIn: frame), with: .color(.primary.opacity(0.5)), lineWidth: 1)
        case .square(let x, let y, let side, let ink):
            let frame = CGRect(x: x * unit, y: y * unit, width: side * unit, height: side * unit)
            context.fill(Path(frame), with: .color(color(ink).opacity(0.5)))
        case .line(let fromX, let fromY, let toX, let toY, let width, let ink):
            var path = Path()
            path.move(to: CGPoint(x: fromX * unit, y: fromY * unit))
            path.addLine(to: CGPoint(x: toX * unit, y: toY * unit))
            context.stroke(path, with: .color(color(ink)), lineWidth: width * unit)
        }
    }

    private func color(_ ink: PlainBoard.Ink) -> Color {
        switch ink {
        case .ground: .gray
        case .line: .primary
        case .forbidden: .red
        case .heat(let share): .orange.opacity(0.15 + 0.75 * share)
        case .player(let player): colors[player]
        }
    }

    /// What players 0 and 1 play with, by the words for it.
    private var colors: [Color] {
        switch presentation.pieces[0].key {
        case "red": [.red, .yellow]
        case "blue": [.blue, .orange]
        case "cross": [.red, .blue]
        default: [.black, .white]
        }
    }
}
