import AzxDrawing
import Foundation
import Support
import Testing

private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Goldens")

/// Compare a text with the golden one; AZX_WRITE_GOLDENS=1 writes it instead.
private func expectGolden(_ name: String, _ text: String) throws {
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["AZX_WRITE_GOLDENS"] == "1" {
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
        let shapes = try scene.board.drawn(Scale(unit: 40, pixels: 2))
        try expectGolden("\(scene.name).txt", shapes.map { line($0) + "\n" }.joined())
    }

    @Test(arguments: ["connect4-won", "dots-heat", "tictactoe-heat", "gomoku-renju", "go-over"])
    func thePicturesAreTheGoldenOnes(_ name: String) throws {
        let scene = try #require(Scene.all.first { $0.name == name })
        let words = name == "dots-heat" ? Catalog.chinese : .english
        let image = try Svg.image(scene.board, width: 390, height: 390, isDark: name.hasSuffix("heat"), words)
        try expectGolden("\(name).svg", image)
    }

    /// With AZX_PICTURES, a folder of the checkout, every board at the size of a phone and of a tablet, for people to look at.
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
    }
}

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

private func text(_ point: Point) -> String { "\(short(point.x)),\(short(point.y))" }

private func text(_ outline: Outline) -> String {
    switch outline {
    case .circle(let centre, let radius): "circle \(text(centre)) \(short(radius))"
    case .box(let box, let corner):
        "box \(short(box.x)),\(short(box.y)) \(short(box.width))x\(short(box.height)) corner \(short(corner))"
    case .line(let from, let to): "line \(text(from)) \(text(to))"
    case .holed(let outline, let holes, let radius): "\(text(outline)) without \(holes.count) circles \(short(radius))"
    }
}

private func text(_ tint: Tint) -> String {
    switch tint {
    case .role(let role): role.rawValue
    case .mixed(let from, let to, let share): "\(text(from))>\(text(to))*\(short(share))"
    case .faded(let tint, let share): "\(text(tint))/\(short(share))"
    case .on(let ground): "on(\(text(ground)))"
    }
}

private func text(_ stops: [Stop]) -> String {
    stops.map { "\(short($0.at)):\(text($0.tint))" }.joined(separator: " ")
}
