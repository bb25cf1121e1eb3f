import AzxBundle
import AzxEngine
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// A new game is asked for its terms, and for nothing else: none is lost by it.
@MainActor @Suite(.timeLimit(.minutes(10))) struct AskingTests {
    private func seat(_ game: String) throws -> Seat {
        let memory = Memory(Notebook(), bundle: game)
        memory.choices = Choices(strength: .policy, begins: .you)
        let reading = try GameBundle(Fixtures.entry(Fixtures.bundles.appending(path: game)), Store(Fixtures.bundles)).reading
        let table = try Table(Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory))
        return Seat(table, Presentation(game))
    }

    @Test func aNewGameIsAskedForItsTerms() async throws {
        let seat = try seat("tictactoe")
        seat.choose(4)
        await seat.table.settle()
        seat.restart()
        #expect(seat.terms == seat.table.choices && seat.table.session.moves == 2)
        seat.terms?.strength = .level3
        seat.terms = nil
        seat.begin()
        #expect(seat.table.session.moves == 2 && seat.table.choices.strength == .policy, "it goes on as it was")
        seat.restart()
        seat.terms?.strength = .level3
        seat.terms?.begins = .ai
        seat.begin()
        #expect(seat.terms == nil && seat.table.choices.strength == .level3)
        await seat.table.settle()
        #expect(seat.table.session.moves == 1 && seat.table.session.human == 1)
        // An answer to nothing is none.
        seat.begin()
        #expect(seat.table.session.moves == 1)
    }

    @Test func theQuestionHasEightStepsAndTheSettingsOfItsGame() async throws {
        let go = try seat("go")
        #expect(go.question.key == "new_game_of" && Catalog.english.say(go.question) == "New game: Go")
        go.restart()
        #expect(go.levelSteps.map(\.id) == Array(1...8) && !go.levelSteps.contains { $0.isChosen })
        let fourth = go.levelSteps[3].strength
        go.terms?.strength = fourth
        #expect(go.levelSteps.filter(\.isChosen).map(\.id) == [4])
        #expect(go.levelSteps[3].strength.phrase.key == "level_4")
        #expect(go.exactStrengths(of: Strength.allCases).count == 7)
        #expect(go.exactStrengths(of: [.level1, .seconds1]) == [.seconds1])
        #expect(go.komis == [0.5, 5.5, 6.5, 7.5] && go.otherRule == nil)
        go.komi = 0.5
        go.begin()
        #expect((go.table.session.latest as? Go)?.komi == 0.5)
        let rules = ["gomoku": "Renju rule", "hex": "Swap rule: the second player may take the first stone over"]
        for game in Fixtures.names where game != "go" {
            let seat = try seat(game)
            #expect(seat.komis.isEmpty && seat.otherRule.map { Catalog.english.say($0) } == rules[game], "\(game)")
            #expect(Catalog.chinese.say(seat.question).hasPrefix("新对局：") && !Catalog.chinese.say(seat.question).contains("no text"))
        }
    }

    @Test func aGameOfHexIsBegunByTheSwapRule() async throws {
        let seat = try seat("hex")
        #expect(!seat.keepsGame)
        seat.choose(0)
        await seat.table.settle()
        #expect(seat.keepsGame)
        seat.restart()
        seat.terms?.isOtherRule = true
        seat.begin()
        #expect(seat.table.session.moves == 0)
        // The second player may play where the first stone lies.
        seat.choose(1)
        #expect(seat.table.session.states[1].whyIllegal(1) == nil)
        await seat.table.settle()
        #expect(seat.table.gameRecord.settings["rule"] == .text("swap"))
    }

    @Test func anotherRuleBeginsAGameOfItsOwnAndAnotherStrengthDoesNot() async throws {
        let seat = try seat("gomoku")
        seat.choose(112)
        await seat.table.settle()
        var choices = seat.table.choices
        let before = seat.table.identity.id
        choices.strength = .level1
        seat.table.choose(choices)
        #expect(seat.table.choices.strength == .level1 && seat.table.identity.id == before)
        choices.isOtherRule = true
        seat.table.restart(choices)
        #expect(seat.table.choices.isOtherRule == true && seat.table.session.moves == 0 && seat.table.identity.id != before)
    }
}
