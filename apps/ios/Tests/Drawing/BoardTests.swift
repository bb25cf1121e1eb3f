@testable import AzxDrawing
import AzxEngine
import Support
import Testing

/// Every board that there is: each game at each of its sizes.
private let boards: [Scene] = Scene.starts

extension Scene {
    static let starts: [Scene] = try! {
        let games: [[any State]] = [
            [Connect4(), TicTacToe()],
            try [(4, 10), (10, 4), (8, 8)].map { try OtherConnect4(rows: $0, columns: $1) },
            try DotsAndBoxes.sizes.map { try DotsAndBoxes(size: $0) }, try Gomoku.sizes.map { try Gomoku(size: $0) },
            try Go.sizes.map { try Go(size: $0) }, try Reversi.sizes.map { try Reversi(size: $0) },
            try Hex.sizes.map { try Hex(size: $0) },
        ]
        return games.flatMap { $0 }.map { Scene("\(type(of: $0)) \($0.board)", $0) }
    }()
}

@Suite struct BoardTests {
    @Test(arguments: boards, [(390.0, 700.0), (820.0, 620.0), (203.0, 211.0)])
    func aTapOnTheMiddleOfASpotPlaysItsAction(_ scene: Scene, _ size: (Double, Double)) throws {
        let board = try scene.board
        let fit = Fit(board, width: size.0, height: size.1, pixels: 3)
        for spoken in board.spoken {
            let frame = fit.place(spoken.frame)
            let tapped = fit.point(x: frame.centre.x, y: frame.centre.y)
            #expect(board.action(at: tapped) == spoken.action)
            #expect(frame.x >= 0 && frame.x + frame.width <= size.0)
            #expect(frame.y >= 0 && frame.y + frame.height <= size.1)
        }
        for far in [AzxDrawing.Point(-0.1, 0.5), AzxDrawing.Point(0.5, -0.1), AzxDrawing.Point(board.width + 0.1, 1), AzxDrawing.Point(1, board.height + 0.1)] {
            #expect(board.action(at: far) == nil)
        }
    }

    @Test(arguments: boards) func everyActionIsSpokenOnceUnderANameOfItsOwn(_ scene: Scene) throws {
        let (board, state) = (try scene.board, scene.shown.state)
        let pass = (state as? Go)?.pass
        let spoken = board.spoken
        #expect(spoken.filter(\.isButton).map(\.action).sorted() == state.legalActions().filter { $0 != pass })
        // Of Reversi alone most empty cells are no move at the start.
        #expect(state is Reversi || !spoken.contains { !$0.isButton })
        for words in [Catalog.english, .chinese] {
            let labels = Set(spoken.map { words.say($0.said) })
            #expect(labels.count == spoken.count)
            #expect(!labels.contains { $0.contains("(no text") || $0.contains("%") })
            #expect(!words.say(board.title).contains("(no text"))
        }
        for each in spoken {
            let frame = each.frame
            #expect(frame.x >= 0 && frame.y >= 0 && frame.x + frame.width <= board.width + 1e-9)
            #expect(frame.y + frame.height <= board.height + 1e-9)
        }
    }

    @Test(arguments: boards) func theArrowsReachEverySpot(_ scene: Scene) throws {
        let board = try scene.board
        var reached: Set<Int> = [0]
        var edge = [0]
        while let spot = edge.popLast() {
            for (right, down) in [(-1.0, 0.0), (1, 0), (0, -1), (0, 1)] {
                guard let next = board.spot(beside: spot, right: right, down: down) else { continue }
                if reached.insert(next).inserted { edge.append(next) }
            }
        }
        #expect(reached.count == board.spots)
    }

    @Test(arguments: Scene.all) func nothingIsDrawnBesideTheBoard(_ scene: Scene) throws {
        let board = try scene.board
        for shape in board.picture(Scale(unit: 40)) {
            guard case .fill(.circle(let centre, let radius), _) = shape, scene.shown.falls.isEmpty else { continue }
            #expect(centre.x - radius >= 0 && centre.x + radius <= board.width)
            #expect(centre.y - radius >= 0 && centre.y + radius <= board.height)
        }
    }

    @Test func nothingIsAButtonWhereNobodyMayPlay() throws {
        let shown = Shown(TicTacToe(), human: 1, last: nil, canPlay: false)
        #expect(try !board(shown).spoken.contains { $0.isButton })
    }

    @Test func dotsAreTappedAtTheNearestEdge() throws {
        let grid = try board(Shown(DotsAndBoxes(size: 3), human: 0, last: nil))
        // A unit is a step; the first dot is at (0.32, 0.32). The middle of a box is nobody's.
        #expect(grid.action(at: AzxDrawing.Point(0.82, 0.82)) == nil)
        #expect(grid.action(at: AzxDrawing.Point(0.82, 0.62)) == 0)
        #expect(grid.action(at: AzxDrawing.Point(0.82, 1.1)) == 3)
        #expect(grid.action(at: AzxDrawing.Point(0.5, 0.82)) == 12)
        #expect(grid.action(at: AzxDrawing.Point(0.02, 0.82)) == 12)
        #expect(grid.action(at: AzxDrawing.Point(3.6, 3.0)) == 23)
    }

    @Test func aFullColumnIsNamedByItsTopCell() throws {
        let state = try [38, 31, 24, 17, 10, 3].reduce(Connect4()) { try $0.apply($1) }
        let column = try board(Shown(state, human: 0, last: 3)).spoken[3]
        #expect(column.action == 3)
        #expect(!column.isButton)
        #expect(state.whyIllegal(3)?.code == .full)
    }

    @Test func linesLieOnWholePixels() throws {
        for size in Gomoku.sizes {
            let board = try board(Shown(Gomoku(size: size), human: 0, last: nil))
            for (width, pixels) in [(390.0, 3.0), (375, 2), (820, 2), (411, 1)] {
                let fit = Fit(board, width: width, height: width, pixels: pixels)
                let line = try #require(board.firstLine)
                let thickness = fit.scale.crisp(line.width) * fit.scale.unit * pixels
                let edge = (fit.left + line.at * fit.scale.unit) * pixels - thickness / 2
                #expect(abs(edge - edge.rounded()) < 1e-6)
                #expect(abs(thickness - thickness.rounded()) < 1e-6)
            }
        }
    }

    @Test func aDiscFallsFasterAndFasterAndBouncesOnce() throws {
        let way = stride(from: 0.0, to: 1, by: 0.01).map { Fall(to: 3, after: $0)?.left ?? -1 }
        #expect(way[0] == 1)
        #expect(zip(way, way.dropFirst()).prefix(71).allSatisfy { $0 > $1 })
        #expect(way[72] < 1e-9)
        #expect(way[73...].max() ?? 0 > 0.04 && way[73...].allSatisfy { 0...0.05 + 1e-9 ~= $0 })
        #expect(Fall(to: 3, after: 1) == nil)
    }
}

/// What a screen reader says, in the app's words.
@Suite struct SpokenTests {
    private func speech(_ name: String, _ spot: Int, _ words: Catalog = .english) throws -> String {
        let scene = try #require(Scene.all.first { $0.name == name })
        return words.say(try scene.board.speech(of: spot))
    }

    @Test func columns() throws {
        #expect(try speech("connect4-heat", 0) == "Column 1, 1 disc, from below yellow, hint 3 percent")
        #expect(try speech("connect4-heat", 1) == "Column 2, empty, hint 45 percent")
        let full = "Column 4, full, 6 discs, from below red, yellow, red, yellow, red, yellow"
        #expect(try speech("connect4-heat", 3) == full)
        #expect(try speech("connect4-heat", 6) == "Column 7, empty")
        #expect(try speech("connect4-heat", 0, .chinese) == "第 1 列，1 枚棋子，自下而上：黄，提示 3%")
    }

    @Test func edges() throws {
        #expect(try speech("dots-heat", 0) == "Horizontal edge, row 1, column 1, drawn")
        #expect(try speech("dots-heat", 16) == "Vertical edge, row 2, column 1, free, hint 21 percent")
        let scene = try #require(Scene.all.first { $0.name == "dots-heat" })
        #expect(Catalog.english.say(try scene.board.title) == "Dots and Boxes, 3 by 3 boxes, you 1, AI 1")
        let announced = try #require(try scene.board.announcement(of: 12))
        #expect(Catalog.english.say(announced) == "Vertical edge, row 1, column 1, drawn")
        let three = try [0, 3, 12].reduce(DotsAndBoxes(size: 3)) { try $0.apply($1) }
        let open = try board(Shown(three, human: 0, last: 12)).speech(of: 13)
        #expect(Catalog.english.say(open) == "Vertical edge, row 1, column 2, free, completes a box")
        // Edges are met row by row, those across between those down.
        #expect(try scene.board.spoken.prefix(8).map(\.id) == [0, 1, 2, 12, 13, 14, 15, 3])
    }

    @Test func cells() throws {
        #expect(try speech("tictactoe-heat", 0) == "Row 1, column 1, O, last move")
        #expect(try speech("tictactoe-heat", 2) == "Row 1, column 3, empty, hint 60 percent")
        #expect(try speech("gomoku-renju", 80) == "F10, forbidden, double three")
        #expect(try speech("gomoku-renju", 80, .chinese) == "F10，禁手，三三")
        #expect(try speech("go-heat", 24) == "G7, white, last move")
    }

    @Test func moves() throws {
        let over = try #require(Scene.all.first { $0.name == "go-over" }).board
        #expect(Catalog.english.say(try #require(over.announcement(of: 81))) == "white passes")
        #expect(Catalog.english.say(try #require(over.announcement(of: 3))) == "black, D9")
        let won = try #require(Scene.all.first { $0.name == "connect4-won" }).board
        #expect(Catalog.english.say(try #require(won.announcement(of: 38))) == "red, Column 4")
    }
}

/// What is written at an action, and what a screen reader says of it.
@Suite struct HeatTests {
    private let shares = [1: 0.6, 2: 0.3, 3: 0.09, 4: 0.004]
    private let rates = [1: 0.55, 2: 0.48, 3: 0.2, 4: 0.1]

    private func figures(_ heat: Heat) -> [String?] { [1, 2, 3, 4].map { heat.figure($0) } }

    @Test func aNetworkAloneHasShares() {
        let heat = Heat(shares)
        #expect(figures(heat) == ["60", "30", "9", nil])
        #expect(heat.speech(2) == [.words("board_share", .whole(30))] && heat.speech(4).isEmpty)
    }

    @Test func aSearchHasChances() {
        let heat = Heat(shares, rates: rates)
        #expect(figures(heat) == ["55", "48", "20", nil])
        #expect(heat.speech(2) == [.words("board_rate", .whole(48))])
    }

    @Test func pointsAgainstTheBestTakeThePlaceOfChances() {
        let heat = Heat(shares, rates: rates, points: [1: 0, 2: 2, 3: -3])
        #expect(figures(heat) == ["0", "+2", "−3", nil])
        #expect(heat.speech(3) == [.words("board_against", .text("−3"))])
    }
}
