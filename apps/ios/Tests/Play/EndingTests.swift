import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxPlay

/// Resignation, and what is agreed on after two passes in Go.
@Suite struct EndingTests {
    private func session(_ game: String, human: Player, _ actions: [Int]) throws -> Session {
        try actions.reduce(Session(try Fixtures.after(game, .null, []), human: human)) { try $0.play($1) }
    }

    @Test func twoPassesLeaveTheDeadStonesToBeAgreedOn() throws {
        let passed = try session("go", human: 0, [40, 0, 81, 81])
        #expect(passed.phase == .scoring)
        let agreed = passed.agree([0])
        #expect(agreed.phase == .over && agreed.result == 1 && agreed.curve().last?.rate == 1)
        #expect(passed.agree([40]).result == -1)
        #expect(agreed.undo().ending == nil)
        #expect(passed.playOn().actions == [40, 0] && passed.playOn().phase == .yours)
    }

    @Test func aTapTogglesAChain() throws {
        let state = try #require(try session("go", human: 0, [40, 0, 41, 81]).latest as? Go)
        #expect(toggleChain(state, [], 41) == [40, 41])
        #expect(toggleChain(state, [0, 40, 41], 40) == [0])
        #expect(toggleChain(state, [0], 5) == [0])
        #expect(Counted(state, without: [0]).areas[0].contains(0))
    }

    @Test func aResignationEndsAnyGameUntilItIsTakenBack() throws {
        let resigned = try session("connect4", human: 1, [38]).resign()
        #expect(resigned.phase == .over && resigned.result == -1 && resigned.canUndo)
        #expect(resigned.undo().phase == .yours)
        #expect(resigned.show(0).ending == .resigned)
    }

    @Test func howAGameWasEndedIsKept() throws {
        let start = try Fixtures.after("go", .null, [])
        let text = "azx game 1\nhuman 0\nsettings\nactions 40 0 81 81\nrates\nend agreed 0"
        #expect(SavedGame(text)?.session(start)?.ending == .agreed([0]))
        let resigned = text.replacing(" 0 81 81", with: "").replacing("agreed 0", with: "resigned")
        #expect(SavedGame(resigned)?.session(start)?.ending == .resigned)
        for (good, bad) in [("agreed 0", "agreed x"), ("agreed 0", "lost")] {
            #expect(SavedGame(text.replacing(good, with: bad)) == nil)
        }
        for (good, bad) in [("agreed 0", "agreed 81"), ("0 81 81", "0 81"), ("agreed 0", "resigned")] {
            #expect(SavedGame(text.replacing(good, with: bad))?.session(start) == nil)
        }
    }
}
