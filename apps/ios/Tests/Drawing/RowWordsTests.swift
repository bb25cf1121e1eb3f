@testable import AzxDrawing
import AzxEngine
import Support
import Testing

@Suite struct RowWordsTests {
    private func speech(_ state: any State) -> String? { winningRow(state).map { Catalog.english.say($0) } }

    @Test func aRowIsSaidFromItsLeftOrUpperEnd() throws {
        #expect(speech(try Fixtures.after("tictactoe", .null, [2, 0, 4, 1, 6])) == "3 in a row from row 1, column 3 to row 3, column 1")
        #expect(speech(try Fixtures.after("tictactoe", .null, [2, 0, 4, 1])) == nil)
        let gomoku = try Fixtures.after("gomoku", .null, [112, 96, 113, 97, 114, 98, 115, 99, 116])
        #expect(speech(gomoku) == "5 in a row from H8 to L8")
    }

    /// One stone may end two rows: the longer one is told of.
    @Test func theLongerOfTwoRowsIsTold() throws {
        let cells = [110, 111, 112, 113, 115, 116, 99, 84, 69, 54]
        var moves: [Int] = []
        for (at, cell) in cells.enumerated() { moves += [cell, [0, 2, 4, 6, 8, 30, 32, 34, 36, 38][at]] }
        let state = try Fixtures.after("gomoku", .null, moves + [114])
        let row = try #require((state as? Gomoku)?.longestLine())
        #expect(row == Array(110...116))
    }

    @Test(arguments: Fixtures.names, [0, 1]) func aSidesPieceIsWithinItsSquare(_ game: String, _ player: Player) {
        let shapes = emblem(of: game, player)
        #expect(!shapes.isEmpty)
        for shape in shapes {
            let box: Box? =
                switch shape {
                case .fill(.circle(let centre, let radius), _): Box(around: centre, half: radius)
                case .fill(.box(let box, _), _): box
                case .stroke(.circle(let centre, let radius), let stroke): Box(around: centre, half: radius + stroke.width / 2)
                default: nil
                }
            if let box { #expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1 && box.y + box.height <= 1) }
        }
        #expect(shapes != emblem(of: game, 1 - player))
    }

    @Test(arguments: Fixtures.names) func theBarWithTheChancesIsSharedByThePiecesOfBoth(_ game: String) throws {
        func boxes(_ near: Player, _ share: Double?) -> [(box: Box, tint: Tint)] {
            evaluationBar(of: game, near: near, share: share, length: 60).compactMap { shape in
                guard case .fill(.box(let box, _), .plain(let tint)) = shape else { return nil }
                return (box, tint)
            }
        }
        let (first, second) = (boxes(0, 0.75), boxes(1, 0.75))
        #expect(first.map(\.box) == [Box(45, 0, 15, 1), Box(0, 0, 45, 1)])
        #expect(first.map(\.tint) == second.map(\.tint).reversed() && first[0].tint != first[1].tint)
        let unknown = boxes(0, nil)
        #expect(unknown.map(\.box.width) == [30, 30] && unknown[1].tint == .fade(first[1].tint, 0.25))
    }
}
