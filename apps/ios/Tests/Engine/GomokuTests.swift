import Foundation
import Support
import Testing

@testable import AzxEngine

private let h8 = 7 * 15 + 7

@Suite struct GomokuTests {
    /// Black's stones by their labels, white's on points that change nothing.
    private func stones(_ rule: String, _ black: [String]) throws -> Gomoku {
        var state = try Gomoku(rule: rule)
        for (turn, label) in black.enumerated() {
            state = try state.after(#require(try (0..<225).first { try state.label($0) == label }), 2 * turn)
        }
        return state
    }

    @Test(arguments: [
        (Refusal(.doubleThree), ["G8", "I8", "H7", "H9"]),
        (Refusal(.doubleFour), ["E8", "F8", "G8", "H7", "H6", "H5"]),
        (Refusal(.overline), ["E8", "F8", "G8", "I8", "J8"]),
    ])
    func forbidsBlackThreesFoursAndOverlinesUnderRenjuAlone(reason: Refusal, black: [String]) async throws {
        let state = try stones("renju", black)
        #expect(state.whyIllegal(h8) == reason)
        #expect(state.forbiddenPoints()[h8] == reason)
        #expect(!state.legalActions().contains(h8))
        await expectRefused("gomoku: action 112 is illegal here, choose action 1, 3, 5") { try state.apply(h8) }
        let free = try stones("freestyle", black)
        #expect(free.whyIllegal(h8) == nil)
        #expect(free.forbiddenPoints().isEmpty)
        #expect(free.legalActions().contains(h8))
    }

    @Test func forbidsWhiteNothing() throws {
        let state = try stones("renju", ["G8", "I8", "H7", "H9"]).apply(224)
        #expect(state.toMove == 1)
        #expect(state.forbiddenPoints().isEmpty)
        #expect(state.whyIllegal(h8) == nil)
        #expect(state.legalActions().count == 225 - 9)
    }

    @Test func showsTheRowThatWinsAlsoOneOfSix() async throws {
        let won = try stones("freestyle", ["E8", "F8", "G8", "I8", "J8"]).apply(h8)
        #expect(won.winner == 0)
        #expect(won.winningLine() == Array(109...114))
        #expect(won.legalActions().isEmpty)
        await expectRefused("gomoku: action 0 is illegal here, the game is over.") { try won.apply(0) }
    }

    @Test func letsBlackLoseWhereEveryEmptyPointIsForbidden() throws {
        // Black's only empty point would make six; white's stone on A1 fills the other one.
        let rows = "XX.XXX OOXOXO XOXOXO OXOXOX XOXOXO .XOXOX".filter { $0 != " " }
        let cells = rows.map { UInt8($0 == "X" ? 1 : $0 == "O" ? 2 : 0) }
        let end = try Gomoku(Gomoku.Kind(size: 6, rule: "renju"), cells, 33, [], nil).apply(30)
        #expect(end.isTerminal)
        #expect(end.winner == 1)
        #expect(end.returns() == -1)
        #expect(end.legalActions().isEmpty)
        #expect(end.winningLine().isEmpty)
        #expect(end.forbiddenPoints().isEmpty)
    }

    @Test func isADrawOnABoardThatWhiteFillsThoughNoPointIsLeftToBlack() throws {
        let rows = "XXOOXX .OXXOO XXOOXX OOXXOO XXOOXX OOXXOO".filter { $0 != " " }
        let cells = rows.map { UInt8($0 == "X" ? 1 : $0 == "O" ? 2 : 0) }
        let end = try Gomoku(Gomoku.Kind(size: 6, rule: "renju"), cells, 35, [], nil).apply(6)
        #expect(end.isTerminal)
        #expect(end.winner == nil)
        #expect(end.returns() == 0)
    }

    @Test func isNotPlayedOnOtherSizesOrByOtherRules() async {
        await expectRefused("gomoku: size 4 is not possible, choose a number from 5 to 19.") { try Gomoku(size: 4) }
        await expectRefused("gomoku: rule 'swap2' is unknown, use freestyle or renju.") { try Gomoku(rule: "swap2") }
    }
}

/// A drawing of `renju_cases.txt`: the board, the move in question, and what is to be said of it.
private struct Case: Sendable {
    let verdict: String
    let name: String
    let cells: [UInt8]
    let move: Int

    init(_ block: String) throws {
        let lines = block.split(separator: "\n").map(String.init)
        let title = try #require(lines.first).split(separator: ": ", maxSplits: 1)
        let drawing = Array(lines.dropFirst())
        let top = drawing.count > 1 && drawing[0].allSatisfy { $0 == "#" }
        let left = drawing.allSatisfy { $0.first == "#" }
        let rows = drawing.dropFirst(top ? 1 : 0).map { Array($0.dropFirst(left ? 1 : 0)) }
        let down = top ? 0 : (15 - rows.count) / 2
        let right = left ? 0 : (15 - rows[0].count) / 2
        var board = [Character](repeating: ".", count: 225)
        for (row, line) in rows.enumerated() {
            for (column, mark) in line.enumerated() { board[(down + row) * 15 + right + column] = mark }
        }
        verdict = String(title[0])
        name = String(title[1])
        cells = board.map { $0 == "X" ? 1 : $0 == "O" ? 2 : 0 }
        move = try #require(board.firstIndex(of: "*"))
    }
}

/// The point that `point` becomes: mirrored where `symmetry` is 4 or more, then turned by so many quarters.
private func turn(_ point: Int, _ symmetry: Int) -> Int {
    var (row, column) = (point / 15, symmetry < 4 ? point % 15 : 14 - point % 15)
    for _ in 0..<symmetry % 4 { (row, column) = (column, 14 - row) }
    return row * 15 + column
}

/// The drawn cases, turned and mirrored in every way.
@Suite struct RenjuTests {
    private static let kind = Gomoku.Kind(size: 15, rule: "renju")
    private static let reasons = ["overline", "double four", "double three"]
    private let cases: [Case]

    init() throws {
        let file = Fixtures.root.appending(path: "tests/games/rules/renju_cases.txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        let blocks = text.split(separator: "\n\n").dropFirst()
        cases = try blocks.map { try Case(String($0)) }
    }

    @Test func thereAreAsManyCasesAsInTheOtherLanguages() {
        #expect(cases.count > 90)
        #expect(Set(cases.map(\.verdict)) == Set(Self.reasons + ["free", "five"]))
    }

    @Test(arguments: 0..<8) func everyDrawingIsJudgedAsItIsWritten(symmetry: Int) throws {
        for drawing in cases {
            var cells = drawing.cells
            for at in cells.indices { cells[turn(at, symmetry)] = drawing.cells[at] }
            let state = Gomoku(Self.kind, cells, 0, [], nil)
            let move = turn(drawing.move, symmetry)
            let reason = Self.reasons.contains(drawing.verdict) ? drawing.verdict : nil
            let name = Comment(rawValue: drawing.name)
            #expect(state.whyIllegal(move)?.code.rawValue == reason?.replacing(" ", with: "_"), name)
            #expect(state.legalActions().contains(move) == (reason == nil), name)
            if reason == nil { #expect(try state.apply(move).winner == (drawing.verdict == "five" ? 0 : nil), name) }
            // All other points are forbidden as their turned ones.
            let plain = Gomoku(Self.kind, drawing.cells, 0, [], nil).forbiddenPoints()
            let expected = Dictionary(uniqueKeysWithValues: plain.map { (turn($0.key, symmetry), $0.value) })
            #expect(state.forbiddenPoints() == expected, name)
        }
    }
}
