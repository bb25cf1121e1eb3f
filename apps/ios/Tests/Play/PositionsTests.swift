import AzxEngine
import Testing

@testable import AzxPlay

/// The positions that stand for the games in a list.
struct PositionsTests {
    @Test(arguments: Game.games) func eachGameHasOneThatItsRulesAllowToItsEnd(_ game: Game) throws {
        let moves = Tables.movesToPosition(game.name)
        #expect(!moves.isEmpty)
        let shown = position(for: game.name, from: try game.begin([:]))
        let last = try #require(shown.lastAction)
        let label = try shown.label(last)
        #expect(!shown.isTerminal && label == String(moves[moves.count - 1]))
    }

    @Test func aSmallerBoardHasAsManyOfItsMovesAsFitOnIt() throws {
        let small = try Game.find("gomoku").begin(["size": .number(7)])
        #expect(position(for: "gomoku", from: small).lastAction == nil)
        #expect(position(for: "another game", from: small).lastAction == nil)
    }
}
