import AzxPlay
import AzxScreens
import SwiftUI

/// The chances by move, as a line, with the mistakes that an analysis has found.
struct WinRateGraph: View {
    let session: AzxPlay.Session
    let chances: Chances

    var body: some View {
        let curve = session.curve()
        VStack(alignment: .leading) {
            Canvas { context, size in
                draw(curve, &context, size)
            }
            .frame(height: 90)
            .accessibilityElement()
            .accessibilityLabel(say(chances.said))
            Text(say(chances.title)).font(.caption).accessibilityHidden(true)
        }
    }

    private func draw(_ curve: [(moves: Int, rate: Double)], _ context: inout GraphicsContext, _ size: CGSize) {
        let (width, height) = (Double(size.width), Double(size.height))
        let x = { (moves: Int) -> Double in width * Double(moves) / Double(max(1, session.moves)) }
        let y = { (rate: Double) -> Double in height * (1 - rate) }
        var even = Path()
        even.move(to: CGPoint(x: 0, y: height / 2))
        even.addLine(to: CGPoint(x: width, y: height / 2))
        context.stroke(even, with: .color(.secondary), style: StrokeStyle(lineWidth: 1, dash: [4, 4]))
        var line = Path()
        line.addLines(curve.map { CGPoint(x: x($0.moves), y: y($0.rate)) })
        context.stroke(line, with: .color(.accentColor), lineWidth: 2)
        for point in curve {
            let dot = CGRect(x: x(point.moves) - 2, y: y(point.rate) - 2, width: 4, height: 4)
            context.fill(Path(ellipseIn: dot), with: .color(.accentColor))
        }
        for mark in session.marks {
            // The larger one is the worse one, as not everybody tells the colours apart.
            let radius = mark.isBlunder ? 5.0 : 4.0
            let circle = CGRect(x: x(mark.moves) - radius, y: y(mark.rate) - radius, width: 2 * radius, height: 2 * radius)
            context.fill(Path(ellipseIn: circle), with: .color(mark.isBlunder ? .red : .orange))
        }
        var now = Path()
        now.move(to: CGPoint(x: x(session.ply), y: 0))
        now.addLine(to: CGPoint(x: x(session.ply), y: height))
        context.stroke(now, with: .color(.primary.opacity(0.4)), lineWidth: 1)
    }
}
