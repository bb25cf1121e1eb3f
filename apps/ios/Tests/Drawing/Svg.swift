import AzxDrawing
import Foundation
import Support

/// A board as an SVG image, as the app would show it in a view of a size in points.
struct Svg {
    private let palette: Palette
    private let words: Catalog
    private var gradients: [String] = []
    private var body: [String] = []
    private var holes = 0

    /// The board in the middle of a page of the app's background, `margin` points of it around the board's view, with its
    /// shapes as `change` leaves them.
    static func image(
        _ board: some Board, width: Double, height: Double, isDark: Bool, _ words: Catalog, margin: Double = 0,
        pixels: Double = 2, change: ([Shape]) -> [Shape] = { $0 }
    ) -> String {
        let fit = Fit(board, width: width - 2 * margin, height: height - 2 * margin, pixels: pixels)
        var svg = Svg(palette: .of(isDark: isDark), words: words)
        for shape in change(board.picture(fit.scale)) { svg.add(shape) }
        let (left, top) = (short(margin + fit.left), short(margin + fit.top))
        let place = "translate(\(left) \(top)) scale(\(short(fit.scale.unit)))"
        let paper = svg.paint("fill", .role(.paper))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(short(width))" height="\(short(height))">
            <defs>
            \(svg.gradients.joined(separator: "\n"))
            </defs>
            <rect width="100%" height="100%" \(paper)/>
            <g transform="\(place)" font-family="sans-serif" font-weight="bold" text-anchor="middle">
            \(svg.body.joined(separator: "\n"))
            </g>
            </svg>

            """
    }

    /// Shapes in a square of one unit, or in `length` of them side by side, each `side` points wide, on the app's background.
    static func image(_ shapes: [Shape], side: Double, length: Double = 1, isDark: Bool) -> String {
        var svg = Svg(palette: .of(isDark: isDark), words: .english)
        for shape in shapes { svg.add(shape) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(short(side * length))" height="\(short(side))" viewBox="0 0 \(short(length)) 1">
            <defs>\(svg.gradients.joined())</defs>
            <rect width="100%" height="1" \(svg.paint("fill", .role(.paper)))/>
            \(svg.body.joined(separator: "\n"))
            </svg>

            """
    }

    private init(palette: Palette, words: Catalog) {
        self.palette = palette
        self.words = words
    }

    private mutating func add(_ shape: Shape) {
        switch shape {
        case .fill(let outline, let fill): body.append(element(outline, paint(fill)))
        case .stroke(let outline, let stroke):
            let end = stroke.isRound ? "round" : "square"
            let ends = "stroke-linecap=\"\(end)\" stroke-linejoin=\"round\""
            let line = "fill=\"none\" stroke-width=\"\(short(stroke.width))\" \(ends)"
            body.append(element(outline, "\(paint("stroke", stroke.tint)) \(line)"))
        case .text(let text):
            // Half the height of DejaVu's capitals below the middle. Letters smaller than a unit would lose their form.
            let (x, y) = (short(text.centre.x), short(text.centre.y + 0.3645 * text.size))
            let font = "transform=\"translate(\(x) \(y)) scale(0.01)\" font-size=\"\(short(100 * text.size))\""
            body.append("<text \(font) \(paint("fill", text.tint))>\(words.say(text.content))</text>")
        }
    }

    private func element(_ outline: Outline, _ paint: String) -> String {
        switch outline {
        case .circle(let centre, let radius):
            "<circle cx=\"\(short(centre.x))\" cy=\"\(short(centre.y))\" r=\"\(short(radius))\" \(paint)/>"
        case .box(let box, let corner):
            "<rect \(place(box)) rx=\"\(short(corner))\" \(paint)/>"
        case .line(let from, let to):
            "<path d=\"M\(short(from.x)) \(short(from.y))L\(short(to.x)) \(short(to.y))\" \(paint)/>"
        case .polygon(let points, let isClosed):
            "<path d=\"M\(points.map { "\(short($0.x)) \(short($0.y))" }.joined(separator: "L"))\(isClosed ? "Z" : "")\" \(paint)/>"
        case .holed(.box(let box, let corner), let holes, let radius):
            "<path fill-rule=\"evenodd\" \(paint) "
                + "d=\"\(path(box, corner))\(holes.map { path($0, radius) }.joined())\"/>"
        case .holed(let outline, _, _): element(outline, paint)
        }
    }

    private func place(_ box: Box) -> String {
        "x=\"\(short(box.x))\" y=\"\(short(box.y))\" width=\"\(short(box.width))\" height=\"\(short(box.height))\""
    }

    private func path(_ box: Box, _ corner: Double) -> String {
        let (x, y, radius) = (short(box.width - 2 * corner), short(box.height - 2 * corner), short(corner))
        let arc = { (right: String, down: String) in "a\(radius) \(radius) 0 0 1 \(right) \(down)" }
        return "M\(short(box.x + corner)) \(short(box.y))h\(x)\(arc(radius, radius))v\(y)\(arc("-" + radius, radius))"
            + "h-\(x)\(arc("-" + radius, "-" + radius))v-\(y)\(arc(radius, "-" + radius))z"
    }

    private func path(_ centre: AzxDrawing.Point, _ radius: Double) -> String {
        let (radius, width) = (short(radius), short(2 * radius))
        return "M\(short(centre.x)) \(short(centre.y))m-\(radius) 0"
            + "a\(radius) \(radius) 0 1 0 \(width) 0a\(radius) \(radius) 0 1 0 -\(width) 0z"
    }

    private mutating func paint(_ fill: Fill) -> String {
        switch fill {
        case .plain(let tint): return paint("fill", tint)
        case .linear(let from, let to, let stops):
            let way = "x1=\"\(short(from.x))\" y1=\"\(short(from.y))\" x2=\"\(short(to.x))\" y2=\"\(short(to.y))\""
            return gradient("linearGradient", way, stops)
        case .radial(let centre, let radius, let stops):
            let way = "cx=\"\(short(centre.x))\" cy=\"\(short(centre.y))\" r=\"\(short(radius))\""
            return gradient("radialGradient", way, stops)
        }
    }

    private mutating func gradient(_ kind: String, _ way: String, _ stops: [Stop]) -> String {
        let id = "g\(gradients.count)"
        let inside = stops.map { "<stop offset=\"\(short($0.at))\" \(paint("stop", $0.tint))/>" }.joined()
        gradients.append("<\(kind) id=\"\(id)\" gradientUnits=\"userSpaceOnUse\" \(way)>\(inside)</\(kind)>")
        return "fill=\"url(#\(id))\""
    }

    /// The attributes of a colour of a `fill`, a `stroke`, or a `stop` of a gradient.
    private func paint(_ what: String, _ tint: Tint) -> String {
        let colour = palette.colour(tint)
        let parts = [colour.red, colour.green, colour.blue].map { Int((255 * $0).rounded()) }
        let name = what == "stop" ? "stop-color" : what
        let plain = "\(name)=\"#\(parts.map { String(format: "%02x", $0) }.joined())\""
        return colour.opacity == 1 ? plain : "\(plain) \(what)-opacity=\"\(short(colour.opacity))\""
    }
}

/// A number with at most four digits behind the point.
func short(_ number: Double) -> String {
    let rounded = (number * 10_000).rounded() / 10_000
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
}
