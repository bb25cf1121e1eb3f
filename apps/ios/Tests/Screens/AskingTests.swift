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

    @Test func anotherRuleBeginsAGameOfItsOwnAndAnotherStrengthDoesNot() async throws {
        let seat = try seat("gomoku")
        seat.choose(112)
        await seat.table.settle()
        var choices = seat.table.choices
        let before = seat.table.identity.id
        choices.strength = .level1
        seat.table.choose(choices)
        #expect(seat.table.choices.strength == .level1 && seat.table.identity.id == before)
        choices.isRenju = true
        seat.table.choose(choices)
        #expect(seat.table.choices.isRenju && seat.table.session.moves == 0 && seat.table.identity.id != before)
    }
}
