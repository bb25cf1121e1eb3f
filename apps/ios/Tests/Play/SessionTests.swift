import AzxEngine
import Testing

@testable import AzxPlay

private func sitting(_ game: String, _ human: Player, _ actions: Int...) throws -> Session {
    try actions.reduce(Session(try Game.find(game).begin(), human: human)) { try $0.play($1) }
}

@Suite struct SessionTests {
    @Test func whoseTurnItIsFollowsFromWhoThePersonIs() throws {
        #expect(try sitting("tictactoe", 0).phase == .yours)
        #expect(try sitting("tictactoe", 1).phase == .theirs)
        #expect(try sitting("tictactoe", 0, 4).phase == .theirs)
        #expect(try sitting("tictactoe", 0, 0, 3, 1, 4, 2).phase == .over)
    }

    @Test func theResultIsSeenByThePerson() throws {
        #expect(try sitting("tictactoe", 0, 0, 3, 1, 4, 2).result == 1)
        #expect(try sitting("tictactoe", 1, 0, 3, 1, 4, 2).result == -1)
        #expect(try sitting("tictactoe", 0, 0, 4, 8, 1, 7, 6, 2, 5, 3).result == 0)
    }

    @Test func anIllegalMoveIsRefusedAndChangesNothing() throws {
        let before = try sitting("tictactoe", 0, 4)
        #expect(throws: GameError.self) { try before.play(4) }
        #expect(before.actions == [4])
    }

    @Test func undoTakesBackThePersonsLastMoveAndTheAnswer() throws {
        let session = try sitting("tictactoe", 0, 4, 0, 8)
        #expect(session.undo().actions == [4, 0])
        #expect(session.undo().undo().actions == [])
    }

    @Test func undoDoesNothingBeforeThePersonHasMoved() throws {
        let session = try sitting("tictactoe", 1, 4)
        #expect(!session.canUndo)
        #expect(session.undo().actions == [4])
    }

    @Test func undoForgetsTheChancesOfWhatIsTakenBack() throws {
        let session = try sitting("tictactoe", 1).rate(0.5).play(4).play(0).rate(0.75).play(8)
        #expect(session.undo().rates == [0: 0.5])
    }

    @Test func whoCompletesABoxMovesAgainTheOtherOnePassesAtOnce() throws {
        let session = try sitting("dots_and_boxes", 1, 0, 3, 12, 13)
        #expect(session.actions == [0, 3, 12, 13, 24])
        #expect(session.phase == .yours)
        #expect(session.forcedPasser == 0)
        #expect(session.lastMove == 13, "the pass is no move to be marked")
    }

    @Test func undoGoesOverAPassThatWasForced() throws {
        let theirs = try sitting("dots_and_boxes", 1, 0, 3, 12, 13)
        #expect(theirs.undo().actions == [0, 3, 12])
        #expect(theirs.undo().forcedPasser == nil)
        let own = try sitting("dots_and_boxes", 0, 0, 3, 12, 13)
        #expect(own.forcedPasser == 0)
        #expect(own.undo().actions == [0, 3])
    }

    @Test func aReplayShowsEarlierPositionsAndKeepsWithinTheGame() throws {
        let session = try sitting("tictactoe", 0, 4, 0, 8)
        #expect(session.show(1).ply == 1)
        #expect(session.show(1).lastMove == 4)
        #expect(session.show(-5).ply == 0)
        #expect(session.show(99).ply == 3)
        #expect(session.show(0).lastMove == nil)
        #expect(session.show(1).moves == 3, "the game stays as it is")
        let earlier = try sitting("tictactoe", 0, 4, 0)
        #expect(try earlier.show(1).play(8).ply == 3)
        #expect(try earlier.show(2).play(8).ply == 3)
    }

    @Test func chancesAreThePersonsWhoeverMoves() throws {
        let session = try sitting("tictactoe", 0).rate(0.6).play(4).rate(0.3)
        #expect(session.rates[0] == 0.6)
        #expect(session.rates[1] == 0.7)
        #expect(session.rate(nil).rates == session.rates, "a network without a value says nothing")
    }

    @Test func theCurveEndsWithTheResult() throws {
        let lost = try sitting("tictactoe", 1).rate(0.4).play(0).play(3).play(1).play(4).play(2)
        #expect(lost.curve().map(\.moves) == [0, 5])
        #expect(lost.curve().map(\.rate) == [0.6, 0])
        #expect(try sitting("tictactoe", 0, 0, 4, 8, 1, 7, 6, 2, 5, 3).curve().map(\.rate) == [0.5])
    }
}

@Suite struct SavedGameTests {
    @Test func aSavedGameComesBackAsItWas() throws {
        let session = try sitting("gomoku", 1, 112, 97).rate(0.125)
        let text = "azx game 1\nhuman 1\nsettings komi=7.5 rule=renju size=15\nactions 112 97\nrates 2=0.875"
        let saved = try #require(SavedGame(text))
        #expect(saved.settings == ["rule": .text("renju"), "size": .number(15), "komi": .number(7.5)])
        let back = try #require(saved.session(try Game.find("gomoku").begin()))
        #expect(back.actions == session.actions)
        #expect(back.human == session.human)
        #expect(back.rates == session.rates)
    }

    @Test func aGameThatHasJustBegunIsOne() throws {
        let saved = try #require(SavedGame("azx game 1\nhuman 1\nsettings\nactions\nrates"))
        #expect(try saved.session(Game.find("go").begin())?.moves == 0)
    }

    @Test func aDamagedTextIsNoGame() throws {
        let whole = "azx game 1\nhuman 0\nsettings rule=renju\nactions 4 0\nrates 2=0.5"
        #expect(SavedGame(whole) != nil)
        let changes = [
            ("human 0", "human 2"), ("human 0", "human"), ("human 0", "human 0 1"), ("actions 4", "actions x"),
            ("=0.5", "=1.5"), ("=0.5", "=nan"), ("2=0.5", "0.5"), ("rule=", "=rule"), ("actions", "action"),
            ("azx game 1", "azx game 2"), ("actions 4", "actions  4"),
        ]
        for (old, new) in changes {
            #expect(whole.contains(old))
            #expect(SavedGame(whole.replacing(old, with: new)) == nil, "\(new)")
        }
        for text in ["", "azx game 2\n", String(whole.dropFirst()), whole + "\n"] { #expect(SavedGame(text) == nil) }
    }

    @Test func everyTextCutShortIsNoGameOrOneThatBeginsLikeIt() throws {
        let start = try Game.find("tictactoe").begin()
        let text = "azx game 1\nhuman 0\nsettings\nactions 4 0\nrates"
        for length in 0..<text.count {
            guard let session = SavedGame(String(text.prefix(length)))?.session(start) else { continue }
            #expect(session.actions == [4, 0])
        }
    }

    @Test func movesThatTheRulesForbidAreNoGame() throws {
        func restore(_ game: String, _ actions: [Int]) throws -> Session? {
            let start = try Game.find(game).begin()
            return SavedGame(settings: [:], human: 1, actions: actions, rates: [1: 0.5, 9: 0.5]).session(start)
        }
        #expect(try restore("tictactoe", [4, 4]) == nil)
        #expect(try restore("tictactoe", [9]) == nil)
        #expect(try restore("dots_and_boxes", [0, 3, 12, 13]) == nil, "a pass is owed")
        #expect(try restore("tictactoe", [4])?.rates == [1: 0.5], "chances of moves not played are forgotten")
    }
}
