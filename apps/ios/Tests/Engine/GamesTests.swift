import AzxEngine
import Support
import Testing

extension State {
    /// The state after more actions.
    func after(_ actions: Int...) throws -> Self {
        try actions.reduce(self) { try $0.apply($1) }
    }
}

private let names = Game.games.map(\.name)

/// What holds for every game.
@Suite struct EveryGameTests {
    @Test(arguments: names) func refusesAnActionThatThereIsNotAndSaysWhichAreLegal(game: String) async throws {
        let state = try Game.find(game).begin()
        let legal = state.legalActions().map(String.init).joined(separator: ", ")
        for action in [-1, state.actions, .max, .min] {
            await expectRefused("\(game): action \(action) is illegal here, choose action \(legal).") {
                try state.apply(action)
            }
            #expect(state.whyIllegal(action)?.code == .noSuchAction)
        }
    }

    @Test(arguments: names) func refusesEveryActionOnceItIsOver(game: String) async throws {
        var end = try Game.find(game).begin()
        while !end.isTerminal { end = try end.apply(#require(end.legalActions().last)) }
        let over = end
        #expect(over.legalActions().isEmpty)
        #expect(over.whyIllegal(0)?.code == .over)
        await expectRefused("\(game): action 0 is illegal here, the game is over.") { try over.apply(0) }
    }

    @Test(arguments: names) func drawsInOneGoWhatThePlanesSayAllGameLong(game: String) throws {
        var state = try Game.find(game).begin()
        var ply = 0
        while !state.isTerminal, ply < 60 {
            #expect(try state.encode() == encode(state, state.encoding))
            let legal = state.legalActions()
            state = try state.apply(legal[ply * 37 % legal.count])
            ply += 1
        }
        #expect(try state.encode() == encode(state, state.encoding))
    }

    @Test(arguments: names) func hasAPlaneForNoNameButItsOwn(game: String) async throws {
        let state = try Game.find(game).begin()
        await expectRefused("\(game): there is no plane 'knights', use ") { try state.plane("knights") }
    }

    @Test(arguments: names) func callsEveryLegalActionByAnotherName(game: String) throws {
        let state = try Game.find(game).begin()
        let labels = try state.legalActions().map { try state.label($0) }
        #expect(Set(labels).count == labels.count)
    }
}

@Suite struct Connect4Tests {
    @Test func isPlayedOnOtherBoards() async throws {
        let won = try OtherConnect4(rows: 8, columns: 4).after(28, 29, 24, 25, 20, 21, 16)
        #expect([won.winner, won.returns()] == [0, 1])
        #expect(won.winningLine() == [16, 20, 24, 28])
        let full = try OtherConnect4(rows: 4, columns: 10).after(30, 20, 10, 0)
        #expect(full.whyIllegal(30)?.code == .full)
        #expect(full.whyIllegal(1)?.code == .notLowest)
        #expect(full.label(39) == "9")
        await expectRefused("connect4: 3 rows of 7 are not played, choose numbers from 4 to 10.") {
            try OtherConnect4(rows: 3, columns: 7)
        }
        #expect(try Game.find("connect4").begin(["rows": .number(5), "columns": .number(6)]).board == [5, 6])
        #expect(try Game.find("connect4").begin() is Connect4)
    }

    @Test func letsADiscFallAndShowsTheFourThatWin() throws {
        let won = try Connect4().after(35, 36, 28, 29, 21, 22, 14)
        #expect(won.winner == 0)
        #expect(won.returns() == 1)
        #expect(won.winningLine() == [14, 21, 28, 35])
        #expect(Connect4().legalActions() == Array(35..<42))
        #expect(Connect4().whyIllegal(3)?.code == .notLowest)
        #expect(try Connect4().apply(38).whyIllegal(38)?.code == .occupied)
        #expect(try Connect4().apply(38).winningLine().isEmpty)
        #expect(Connect4().label(38) == "3")
    }
}

@Suite struct TicTacToeTests {
    @Test func showsBothLinesThatOneMarkCompletes() throws {
        let won = try TicTacToe().after(0, 1, 8, 3, 2, 5, 6, 7, 4)
        #expect(won.winner == 0)
        #expect(won.winningLine() == [0, 2, 4, 6, 8])
        #expect(try TicTacToe().apply(4).whyIllegal(4)?.code == .occupied)
        #expect(TicTacToe().label(4) == "4")
    }
}

@Suite struct DotsAndBoxesTests {
    private let boxed: DotsAndBoxes

    init() throws {
        boxed = try DotsAndBoxes().after(0, 3, 12, 13)
    }

    @Test func givesTheBoxToWhoCompletesItAndMakesTheOtherOnePass() async throws {
        #expect(boxed.completed == [0])
        #expect(boxed.scores == [0, 1])
        #expect(boxed.owners[0] == 2)
        #expect(boxed.mustPass)
        #expect(boxed.legalActions() == [24])
        #expect(boxed.whyIllegal(1)?.code == .mustPass)
        #expect(boxed.label(24) == "pass")
        let boxed = boxed
        await expectRefused("dots_and_boxes: action 1 is illegal here, choose action 24.") { try boxed.apply(1) }
    }

    @Test func letsWhoCompletedABoxMoveAgainAfterThePass() throws {
        let again = try boxed.apply(24)
        #expect(again.toMove == 1)
        #expect(!again.mustPass)
        #expect(again.whyIllegal(24)?.code == .noPass)
        #expect(again.whyIllegal(0)?.code == .drawn)
        #expect(again.whyIllegal(1) == nil)
    }

    @Test func needsNoPassAfterTheLastEdge() throws {
        var end = try DotsAndBoxes(size: 2)
        while !end.isTerminal { end = try end.apply(end.legalActions()[0]) }
        #expect(!end.completed.isEmpty)
        #expect(!end.mustPass)
        #expect(end.scores.reduce(0, +) == 4)
    }

    @Test func isNotPlayedOnOtherSizes() async {
        await expectRefused("dots_and_boxes: size 7 is not played, choose one from 2 to 6.") {
            try DotsAndBoxes(size: 7)
        }
    }
}
