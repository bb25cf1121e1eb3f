import AzxBundle
import AzxEngine
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// What would end a game under way is asked about first.
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
        seat.answer(true)
        #expect(seat.table.session.moves == 1)
    }

    @Test func anotherRuleAsksAndAnotherStrengthDoesNot() async throws {
        let seat = try seat("gomoku")
        seat.choose(112)
        await seat.table.settle()
        var choices = seat.table.choices
        choices.strength = .level1
        seat.choose(choices)
        #expect(seat.question == nil && seat.table.choices.strength == .level1)
        choices.isRenju = true
        seat.choose(choices)
        #expect(seat.question == .otherRule(choices))
        #expect(!seat.table.choices.isRenju && seat.table.session.moves == 2)
        seat.answer(false)
        #expect(!seat.table.choices.isRenju && seat.table.session.moves == 2)
        seat.choose(choices)
        seat.answer(true)
        #expect(seat.table.choices.isRenju && seat.table.session.moves == 0)
    }
}
