import AzxBundle
import AzxDrawing
import Support
import Testing

@testable import AzxEngine
@testable import AzxPlay
@testable import AzxScreens

/// Which part of a table lies where: on a phone behind which tab, elsewhere in one column.
@MainActor @Suite struct SheetTests {
    @Test func aPhoneHasEveryPartOnceInSightOrBehindATab() {
        // The card at the end stands above each tab, the sentence about the shown move is the first note.
        let inSight: [Part] = [.outcome, .notes, .actions, .verdict]
        let found = inSight + Tab.allCases.flatMap(\.parts)
        #expect(found.count == Part.allCases.count && Set(found) == Set(Part.allCases))
        #expect(Tab.allCases.allSatisfy { !$0.parts.isEmpty })
    }

    @Test func aColumnHasEveryPartOnceButThoseThatItsButtonsHave() {
        let among: [Part] = [.slider, .estimate, .resign]
        #expect(Part.column.count + among.count == Part.allCases.count)
        #expect(Set(Part.column + among) == Set(Part.allCases))
    }

    @Test func tabsAreCalledAsOnThePage() {
        #expect(Tab.allCases.map { Catalog.english.say($0.title) } == ["Moves", "Analysis", "Game"])
        #expect(Tab.allCases.map { Catalog.chinese.say($0.title) } == ["着法", "分析", "对局"])
    }

    @Test func aHintBringsItsListToTheFrontAndTheChosenTabStaysOtherwise() async throws {
        let seat = try seat()
        let table = seat.table
        #expect(seat.tab == .moves)
        seat.tab = .game
        table.play(4)
        seat.hint()
        #expect(seat.tab == .game, "no hint can be had while the network thinks")
        await table.settle()
        #expect(seat.tab == .game)
        seat.hint()
        #expect(seat.tab == .analysis)
        await table.settle()
        #expect(table.candidates != nil)
        seat.tab = .moves
        table.replay(true)
        table.look(at: 1)
        #expect(seat.tab == .moves)
        #expect(seat.press("H") && seat.tab == .analysis, "so does the key")
        await table.settle()
    }

    @Test func theFirstNoteIsWhatMattersMost() async throws {
        let seat = try seat()
        #expect(seat.notes(isComing: true).first == Phrase("opening"))
        #expect(seat.notes(isComing: false) == seat.asides)
        seat.choose(4)
        await seat.table.settle()
        seat.choose(4)
        #expect(seat.notes(isComing: false).first?.key == "not_possible")
        seat.table.resign()
        #expect(seat.notes(isComing: false) == [Phrase("you_resigned")], "why the game has ended, once")
    }

    @Test func aGameThatIsLookedAtAgainBeginsWithItsMoves() async throws {
        let seat = try seat()
        seat.choose(4)
        await seat.table.settle()
        seat.table.resign()
        seat.tab = .game
        seat.lookAgain()
        #expect(seat.tab == .moves && seat.table.isReplay && seat.table.session.ply == 0)
    }

    /// A seat where the person begins and the network answers by its policy.
    private func seat() throws -> Seat {
        let reading = try GameBundle(
            Fixtures.entry(Fixtures.bundles.appending(path: "tictactoe")), Store(Fixtures.bundles)).reading
        let memory = Memory(Notebook(), bundle: "tictactoe")
        memory.choices = Choices(strength: .policy, begins: .you)
        let table = try Table(Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory))
        return Seat(table, Presentation("tictactoe"))
    }
}
