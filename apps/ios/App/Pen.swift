import AzxDrawing
import SwiftUI

// Apple's systems have a Point and a Shape of their own in what SwiftUI brings along (MacTypes.h), so these name their
// module.

/// Draws the shapes of a board where it lies in a canvas.
@MainActor struct Pen {
    let fit: Fit
    let palette: Palette

    func draw(_ shape: AzxDrawing.Shape, _ context: inout GraphicsContext) {
        switch shape {
        case .fill(let outline, let fill):
            context.fill(path(outline), with: shading(fill), style: FillStyle(eoFill: true))
        case .stroke(let outline, let stroke):
            let style = StrokeStyle(
                lineWidth: length(stroke.width), lineCap: stroke.isRound ? .round : .square, lineJoin: .round)
            context.stroke(path(outline), with: .color(color(stroke.tint)), style: style)
        case .text(let text):
            // Halfway up the capitals of the system's font is halfway up its lines, too.
            let written = SwiftUI.Text(verbatim: say(text.content))
                .font(.system(size: length(text.size), weight: .bold))
                .foregroundStyle(color(text.tint))
            context.draw(written, at: point(text.centre), anchor: .center)
        }
    }

    private func length(_ units: Double) -> CGFloat { units * fit.scale.unit }

    private func point(_ point: AzxDrawing.Point) -> CGPoint {
        CGPoint(x: fit.left + length(point.x), y: fit.top + length(point.y))
    }

    private func disc(_ centre: AzxDrawing.Point, _ radius: Double) -> CGRect {
        rectangle(Box(centre.x - radius, centre.y - radius, 2 * radius, 2 * radius))
    }

    private func rectangle(_ box: Box) -> CGRect {
        let place = fit.place(box)
        return CGRect(x: place.x, y: place.y, width: place.width, height: place.height)
    }

    private func path(_ outline: Outline) -> Path {
        switch outline {
        case .circle(let centre, let radius): return Path(ellipseIn: disc(centre, radius))
        case .box(let box, let corner): return Path(roundedRect: rectangle(box), cornerRadius: length(corner))
        case .line(let from, let to):
            var path = Path()
            path.move(to: point(from))
            path.addLine(to: point(to))
            return path
        case .polygon(let points, let isClosed):
            var path = Path()
            path.addLines(points.map(point))
            if isClosed { path.closeSubpath() }
            return path
        case .holed(let outline, let holes, let radius):
            var path = path(outline)
            for hole in holes { path.addEllipse(in: disc(hole, radius)) }
            return path
        }
    }

    private func shading(_ fill: Fill) -> GraphicsContext.Shading {
        switch fill {
        case .plain(let tint): .color(color(tint))
        case .linear(let from, let to, let stops):
            .linearGradient(gradient(stops), startPoint: point(from), endPoint: point(to))
        case .radial(let centre, let radius, let stops):
            .radialGradient(gradient(stops), center: point(centre), startRadius: 0, endRadius: length(radius))
        }
    }

    private func gradient(_ stops: [Stop]) -> Gradient {
        Gradient(stops: stops.map { Gradient.Stop(color: color($0.tint), location: $0.at) })
    }

    private func color(_ tint: Tint) -> Color {
        let colour = palette.colour(tint)
        return Color(.sRGB, red: colour.red, green: colour.green, blue: colour.blue, opacity: colour.opacity)
    }
}
