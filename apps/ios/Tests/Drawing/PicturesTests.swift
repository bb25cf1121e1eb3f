@testable import AzxDrawing
import Foundation
import Support
import Testing

private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Goldens")

private let isWriting = ProcessInfo.processInfo.environment["AZX_WRITE_GOLDENS"] == "1"

/// Compare a text with the golden one; AZX_WRITE_GOLDENS=1 writes it instead.
private func expectGolden(_ name: String, _ text: String) throws {
    let file = folder.appending(path: name)
    if isWriting {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let golden = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let differs = zip(lines, golden).enumerated().first { $1.0 != $1.1 }
    #expect(differs == nil, "\(name), line \((differs?.offset ?? 0) + 1)")
    #expect(lines.count == golden.count, "\(name)")
}

/// What every board draws, as a text and as a picture.
@Suite struct PicturesTests {
    @Test(arguments: Scene.all) func theShapesAreTheGoldenOnes(_ scene: Scene) throws {
        let shapes = try scene.board.picture(Scale(unit: 40, pixels: 2))
        try expectGolden("\(scene.name).txt", shapes.map { line($0) + "\n" }.joined())
    }

    @Test(arguments: ["connect4-won", "dots-heat", "tictactoe-heat", "gomoku-renju", "go-over"])
    func thePicturesAreTheGoldenOnes(_ name: String) throws {
        let scene = try #require(Scene.all.first { $0.name == name })
        let words = name == "dots-heat" ? Catalog.chinese : .english
        let image = try Svg.image(scene.board, width: 390, height: 390, isDark: name.hasSuffix("heat"), words)
        try expectGolden("\(name).svg", image)
    }

    /// With AZX_PICTURES, a folder of the checkout, every board at the size of a phone and of a tablet, and each
    /// side's piece, for people to look at.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["AZX_PICTURES"] != nil))
    func picturesForPeople() throws {
        let folder = Fixtures.root.appending(path: try #require(ProcessInfo.processInfo.environment["AZX_PICTURES"]))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for scene in Scene.all {
            for (size, points) in [("phone", 390.0), ("tablet", 820.0)] {
                for isDark in [false, true] {
                    let image = try Svg.image(scene.board, width: points, height: points, isDark: isDark, .english)
                    let name = "\(scene.name)-\(size)-\(isDark ? "dark" : "light").svg"
                    try image.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
                }
            }
        }
        for (game, player) in Fixtures.names.flatMap({ game in [0, 1].map { (game, $0) } }) {
            for isDark in [false, true] {
                let image = Svg.image(emblem(of: game, player), side: 84, isDark: isDark)
                let name = "piece-\(game)-\(player)-\(isDark ? "dark" : "light").svg"
                try image.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
                let bar = evaluationBar(of: game, near: player, share: player == 0 ? 0.7 : nil, length: 60)
                let drawn = Svg.image(bar, side: 6, length: 60, isDark: isDark)
                try drawn.write(to: folder.appending(path: "bar-" + name), atomically: true, encoding: .utf8)
            }
        }
    }
}

#if canImport(Glibc)
/// A board's area on a screen: 390 points of a phone, or as wide as a board gets on a tablet of 820.
private enum Area: Double, CaseIterable {
    case phone = 390
    case tablet = 672

    /// One position of each game, and another one on the tablet.
    var scenes: [String] {
        switch self {
        case .phone: ["connect4-won", "dots-heat", "tictactoe-heat", "gomoku-renju", "go-heat", "reversi-points", "hex-heat"]
        case .tablet: ["connect4-heat", "dots-large", "tictactoe-won", "gomoku-won", "go-over", "reversi-pass", "hex-won"]
        }
    }

    /// A point's: fewer than a device has, as these are files to be kept.
    var pixels: Double { self == .phone ? 2 : 1 }

    /// What is between the board and the edges of the screen.
    static let margin = 16.0
}

/// What every board looks like: its shapes as pixels, held to PNG files. Golden pictures are of the folder with Debian
/// that tools/swift.sh makes.
@Suite(.enabled(if: Raster() != nil, "there is no rsvg-convert with DejaVu here")) struct PixelsTests {
    private func pixels(
        _ name: String, _ area: Area, isDark: Bool, _ change: ([Shape]) -> [Shape] = { $0 }
    ) throws -> Pixels {
        let scene = try #require(Scene.all.first { $0.name == name })
        let image = try Svg.image(
            scene.board, width: area.rawValue, height: area.rawValue, isDark: isDark, .english, margin: Area.margin,
            pixels: area.pixels, change: change)
        return try #require(Raster()).pixels(image, zoom: area.pixels)
    }

    @Test(arguments: Area.allCases, [false, true])
    private func theBoardsAreTheGoldenOnes(_ area: Area, _ isDark: Bool) throws {
        let raster = try #require(Raster())
        for name in area.scenes {
            let found = try pixels(name, area, isDark: isDark)
            let file = folder.appending(path: "\(name)-\(area)-\(isDark ? "dark" : "light").png")
            if isWriting { try found.png(raster.zlib).write(to: file) }
            let difference = found.difference(from: try raster.read(file))
            #expect(difference == nil, "\(file.lastPathComponent): \(difference ?? "")")
        }
    }

    @Test func theGoldenPicturesAreSmallAndAllOfThemAreCompared() throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "png" }
        #expect(files.count == Area.allCases.flatMap(\.scenes).count * 2)
        #expect(try files.reduce(0) { try $0 + Data(contentsOf: $1).count } < 600 << 10)
    }

    /// What a person would see at once, and what one might miss.
    @Test(arguments: ["moved", "missing", "colour", "warmer", "letter", "marks"])
    func aChangedBoardIsNotTheGoldenOne(_ change: String) throws {
        let golden = try #require(Raster()).read(folder.appending(path: "gomoku-won-tablet-light.png"))
        let changed = try pixels("gomoku-won", .tablet, isDark: false) { Self.change($0, change) }
        #expect(changed.difference(from: golden) != nil)
    }

    private static func change(_ shapes: [Shape], _ change: String) -> [Shape] {
        var shapes = shapes
        let isStone = { (shape: Shape) in
            if case .fill(.circle(_, Stones.radius), .radial) = shape { true } else { false }
        }
        let at = { (found: (Shape) -> Bool) in shapes.firstIndex(where: found) ?? 0 }
        switch (change, shapes[at(isStone)]) {
        case ("moved", .fill(.circle(let centre, let radius), let fill)):
            shapes[at(isStone)] = .fill(.circle(AzxDrawing.Point(centre.x + 0.06, centre.y), radius: radius), fill)
        case ("missing", _): shapes.remove(at: at { if case .stroke(.line, _) = $0 { true } else { false } })
        case ("colour", _):
            let last = shapes.removeLast()
            if case .stroke(let ring, let stroke) = last { shapes.append(.stroke(ring, Stroke(.role(.blue), stroke.width))) }
        case ("warmer", .fill):
            if case .fill(let ground, .linear(let from, let to, _)) = shapes[0] {
                let stops = [Stop(0, .mix(.wood, .white, 0.08)), Stop(1, .mix(.wood, .woodLine, 0.14))]
                shapes[0] = .fill(ground, .linear(from: from, to: to, stops))
            }
        case ("letter", _): shapes.remove(at: at { if case .text = $0 { true } else { false } })
        default: shapes.removeAll { if case .stroke(.circle(_, 0.45), _) = $0 { true } else { false } }
        }
        return shapes
    }
}
#endif

/// A shape as a line of a golden file.
private func line(_ shape: Shape) -> String {
    switch shape {
    case .fill(let outline, .plain(let tint)): "fill \(text(outline)) \(text(tint))"
    case .fill(let outline, .linear(let from, let to, let stops)):
        "fill \(text(outline)) linear \(text(from)) \(text(to)) \(text(stops))"
    case .fill(let outline, .radial(let centre, let radius, let stops)):
        "fill \(text(outline)) radial \(text(centre)) \(short(radius)) \(text(stops))"
    case .stroke(let outline, let stroke):
        "stroke \(text(outline)) \(text(stroke.tint)) \(short(stroke.width)) \(stroke.isRound ? "round" : "square")"
    case .text(let written): "text \(text(written))"
    }
}

private func text(_ written: Text) -> String {
    "'\(Catalog.english.say(written.content))' \(text(written.centre)) \(short(written.size)) \(text(written.tint))"
}

private func text(_ point: AzxDrawing.Point) -> String { "\(short(point.x)),\(short(point.y))" }

private func text(_ outline: Outline) -> String {
    switch outline {
    case .circle(let centre, let radius): "circle \(text(centre)) \(short(radius))"
    case .box(let box, let corner):
        "box \(short(box.x)),\(short(box.y)) \(short(box.width))x\(short(box.height)) corner \(short(corner))"
    case .line(let from, let to): "line \(text(from)) \(text(to))"
    case .polygon(let points, let isClosed):
        "\(isClosed ? "polygon" : "lines") \(points.map(text).joined(separator: " "))"
    case .holed(let outline, let holes, let radius): "\(text(outline)) without \(holes.count) circles \(short(radius))"
    }
}

private func text(_ tint: Tint) -> String {
    switch tint {
    case .role(let role): role.rawValue
    case .mix(let from, let to, let share): "\(text(from))>\(text(to))*\(short(share))"
    case .fade(let tint, let share): "\(text(tint))/\(short(share))"
    case .on(let ground): "on(\(text(ground)))"
    }
}

private func text(_ stops: [Stop]) -> String {
    stops.map { "\(short($0.at)):\(text($0.tint))" }.joined(separator: " ")
}
