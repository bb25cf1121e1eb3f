import AzxBundle
import AzxDrawing
import AzxEngine
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// Who sits at the board, and what is said at the end of a game.
@MainActor @Suite(.timeLimit(.minutes(10))) struct OutcomeTests {
    private func table(_ game: String, human: Player = 0, _ actions: [Int], end: String? = nil) throws -> Table {
        let memory = Memory(Notebook(), bundle: game)
        memory.choices = Choices(strength: .level3, begins: .you)
        let reading = try GameBundle(Fixtures.entry(Fixtures.bundles.appending(path: game)), Store(Fixtures.bundles)).reading
        return try Table(Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory), kept: kept(reading, human: human, actions, end: end))
    }

    /// What a screen reader says of both chips.
    private func speech(_ table: Table, _ game: String) -> [String] {
        chips(table, Presentation(game)).map { Catalog.english.say($0.said) }
    }

    private func outcome(_ table: Table, _ game: String) -> [String]? {
        table.outcome(Presentation(game)).map { found in
            [found.result, found.why].compactMap { $0 }.map { Catalog.english.say($0) }
        }
    }

    private func score(_ table: Table, _ game: String) -> String? { table.outcome(Presentation(game))?.score }

    @Test func theChipsSayWhoPlaysWithWhatAndWhoseTurnItIs() throws {
        #expect(speech(try table("connect4", []), "connect4") == ["You, red, to move", "AI, yellow, Level 3: casual"])
        let second = try table("tictactoe", human: 1, [])
        #expect(speech(second, "tictactoe") == ["You, O", "AI, X, Level 3: casual, to move"])
        let dots = try table("dots_and_boxes", [])
        #expect(speech(dots, "dots_and_boxes")[0] == "You, blue, 0 boxes, to move")
        let go = try table("go", [40, 39])
        #expect(speech(go, "go")[1] == "AI, white, Level 3: casual, 0 captured")
    }

    @Test func aGameThatIsWatchedHasTheSamePlayerTwice() throws {
        let watched = try table("connect4", human: nobody, [38])
        #expect(
            speech(watched, "connect4") == ["AI, red, Level 3: casual", "AI, yellow, Level 3: casual, to move"])
        let status = status(watched.session, Presentation("connect4"), isPaused: watched.isPaused)
        #expect(Catalog.english.say(status) == "Paused: yellow to move")
        #expect(Catalog.english.say(try #require(watched.board).title).isEmpty == false)
        let dots = try table("dots_and_boxes", human: nobody, [0])
        #expect(Catalog.english.say(try #require(dots.board).title).hasSuffix("blue 0, orange 0"))
        #expect(summary(dots.session, dots.session.latest).isEmpty)
        #expect(Chances(watched, Presentation("connect4")).title.key == "chances_of")
    }

    @Test func theResultHasItsReason() throws {
        // A column, and a row along the bottom.
        let column = try table("connect4", [35, 36, 28, 29, 21, 22, 14])
        #expect(outcome(column, "connect4") == ["You won!", "4 in a row in column 1"])
        #expect(speech(column, "connect4")[0].hasSuffix("won"))
        let row = try table("connect4", human: 1, [35, 28, 36, 29, 37, 30, 38])
        #expect(outcome(row, "connect4") == ["AI won!", "4 in a row from column 1 to column 4"])
        let full = try table("tictactoe", [0, 1, 2, 4, 3, 5, 7, 6, 8])
        #expect(outcome(full, "tictactoe")?.last == "The board is full, and nobody has a row.")
        let given = try table("tictactoe", [0], end: "resigned")
        #expect(outcome(given, "tictactoe")?.last == Catalog.english.say(Phrase("you_resigned")))
        let agreed = try table("go", [40, 0, 81, 81], end: "agreed 0")
        #expect(outcome(agreed, "go")?.last?.contains("81") == true)
        #expect(speech(agreed, "go")[0].hasPrefix("You, black, 81"))
        #expect(score(agreed, "go") == "81 : 7.5" && score(column, "connect4") == nil && score(given, "tictactoe") == nil)
        let watched = try table("connect4", human: nobody, [35, 36, 28, 29, 21, 22, 14])
        #expect(outcome(watched, "connect4")?.first == "The winner is red")
        #expect(watched.outcome(Presentation("connect4"))?.canSwap == false)
    }

    /// The card says it, and so the headline does not.
    @Test func whoHasWonIsSaidOnce() throws {
        let (table, presentation) = (try table("connect4", [35, 36, 28, 29, 21, 22, 14]), Presentation("connect4"))
        #expect(table.heading(presentation) == nil)
        table.replay(true)
        #expect(table.heading(presentation) == Phrase("you_won") && table.outcome(presentation) == nil)
        #expect(try self.table("connect4", [35]).heading(presentation) != nil)
    }

    @Test func aReplayShowsTheGameAndNotItsEnd() throws {
        let table = try table("connect4", [35, 36, 28, 29, 21, 22, 14])
        #expect(table.outcome(Presentation("connect4"))?.canSwap == true)
        table.replay(true)
        #expect(table.outcome(Presentation("connect4")) == nil)
        let running = try self.table("connect4", [35])
        #expect(running.outcome(Presentation("connect4")) == nil)
    }
}
