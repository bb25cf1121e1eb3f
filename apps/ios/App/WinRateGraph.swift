import AzxDrawing
import AzxPlay
import AzxScreens
import SwiftUI

/// The chances or leads by move, as a line, with the mistakes that an analysis has found.
struct WinRateGraph: View {
    let table: AzxPlay.Table
    let chances: Chances

    var body: some View {
        VStack(alignment: .leading) {
            Canvas { context, size in
                draw(ChanceGraph(table.session, table.panelOfGame, width: size.width, height: size.height), &context, size)
            }
            .frame(height: 90)
            .accessibilityElement()
            .accessibilityLabel(say(chances.said))
            SwiftUI.Text(say(chances.title)).font(.caption).accessibilityHidden(true)
        }
    }

    private func draw(_ graph: ChanceGraph, _ context: inout GraphicsContext, _ size: CGSize) {
        var even = Path()
        even.move(to: CGPoint(x: 0, y: size.height / 2))
        even.addLine(to: CGPoint(x: size.width, y: size.height / 2))
        context.stroke(even, with: .color(.secondary), style: StrokeStyle(lineWidth: 1, dash: [4, 4]))
        var line = Path()
        line.addLines(graph.points.map { CGPoint(x: $0.x, y: $0.y) })
        context.stroke(line, with: .color(.accentColor), lineWidth: 2)
        for point in graph.points { context.fill(disc(point, 2), with: .color(.accentColor)) }
        for mark in graph.marks {
            context.fill(disc(mark.centre, mark.radius), with: .color(mark.isBlunder ? .red : .orange))
        }
        var now = Path()
        now.move(to: CGPoint(x: graph.now, y: 0))
        now.addLine(to: CGPoint(x: graph.now, y: size.height))
        context.stroke(now, with: .color(.primary.opacity(0.4)), lineWidth: 1)
    }

    private func disc(_ centre: AzxDrawing.Point, _ radius: Double) -> Path {
        Path(ellipseIn: CGRect(x: centre.x - radius, y: centre.y - radius, width: 2 * radius, height: 2 * radius))
    }
}
