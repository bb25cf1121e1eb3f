import AzxBundle
import Support
import Testing

@testable import AzxDrawing
@testable import AzxEngine
@testable import AzxPlay
@testable import AzxScreens

/// What is said of candidates, verdicts and lines, and what the board shows of them.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ReviewScreenTests {
    private let connect4 = Presentation("connect4")

    private func seat(_ game: String, human: Player = 0, _ actions: [Int]) throws -> Seat {
        let memory = Memory(Notebook(), bundle: game)
        memory.choices = Choices(strength: .policy, begins: .you)
        let reading = try GameBundle(Fixtures.entry(Fixtures.bundles.appending(path: game)), Store(Fixtures.bundles)).reading
        let table = try Table(Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory), kept: kept(reading, human: human, actions))
        return Seat(table, Presentation(game))
    }

    private func say(_ phrase: Phrase?) -> String? { phrase.map { Catalog.english.say($0) } }

    @Test(arguments: Fixtures.names) func candidatesAreListedAndOnTheBoard(_ game: String) async throws {
        let seat = try seat(game, [])
        #expect(seat.table.candidates == nil)
        seat.table.simulations = 50
        seat.table.hint()
        await seat.table.settle()
        let rows = try #require(seat.table.candidates)
        let found = try #require(seat.table.found)
        #expect(rows.map(\.id) == found.candidates.map(\.action) && rows.map(\.visits) == found.candidates.map(\.visits))
        #expect(seat.table.worthHeading == Phrase("candidate_rate"))
        #expect(rows.map { $0.worth } == seat.table.panel.options.map { option in option.value.map { .phrase(.percent($0)) } })
        for catalog in [Catalog.english, .chinese] {
            #expect(Set(rows.map { catalog.say($0.move) }).count == rows.count)
        }
        let first = Catalog.english.say(rows[0].move)
        #expect(first.first?.isLowercase == false, "\(first)")
        let plain = AzxDrawing.Shown(
            seat.table.session.visible, human: 0, last: nil, heat: seat.table.heat)
        let drawn = try AzxDrawing.board(plain).picture(Scale(unit: 40))
        #expect(try #require(seat.table.board).picture(Scale(unit: 40)) != drawn, "the chances stand on the board")
    }

    /// A record's position in which half of the edges are drawn, so that the end is solved.
    @Test(arguments: [false, true]) func theListSaysBoxesWhereTheBoardDoes(isLive: Bool) async throws {
        let table = try seat("dots_and_boxes", [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19]).table
        if isLive {
            table.replay(true)
            table.watchLive(true)
            let end = ContinuousClock.now + .seconds(300)
            while table.found == nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
        } else {
            table.hint()
            await table.settle()
        }
        let (rows, points) = (try #require(table.candidates), try #require(table.points))
        #expect(table.worthHeading.map { Catalog.english.say($0) } == "Boxes against the best")
        let worths = rows.map { points[$0.id] ?? 0 }
        let figures = worths.map { $0 == 0 ? "0" : "−\(-$0)" }
        #expect(rows.map { $0.worth.map { Catalog.english.say($0) } } == figures)
        #expect(worths == worths.sorted(by: >) && worths.contains { $0 < 0 }, "the best of them is in front")
        let spot = try #require(table.board?.spoken.first { $0.action == rows[0].id })
        #expect(Catalog.english.say(spot.said).contains("hint, \(figures[0]) against the best"), "so does the board")
        table.leave()
    }

    @Test func aVerdictIsASentence() async throws {
        // Red has three in column 1 and plays elsewhere.
        let seat = try seat("connect4", [35, 36, 28, 29, 21, 22, 41])
        let table = seat.table
        #expect(table.review(connect4, hasValue: true) == nil, "the game is under way")
        table.replay(true)
        #expect(table.review(connect4, hasValue: false) == nil)
        let before = try #require(table.review(connect4, hasValue: true))
        #expect(table.sentence(connect4) == nil && before.status == nil && before.rows.isEmpty && before.canAnalyse)
        table.simulations = 800
        table.analyse()
        #expect(table.review(connect4, hasValue: true)?.isAnalysing == true)
        await table.settle()
        let review = try #require(table.review(connect4, hasValue: true))
        #expect(review.progress == 1 && !review.canAnalyse && table.hasMistakes && review.status == nil)
        let verdict = try #require(say(table.sentence(connect4)))
        #expect(verdict == "Column 7: blunder, misses a win in 1. Better: column 1.")
        #expect(review.sides.map { Catalog.english.say($0) } == ["You", "AI"])
        #expect(review.rows.map { Catalog.english.say($0.title) } == ["Inaccuracies", "Mistakes", "Blunders", "Accuracy"])
        let rows = review.rows.map { row in row.figures.map { Catalog.chinese.say($0) } }
        #expect(rows.allSatisfy { $0.count == 2 && !$0[0].contains("no text") })
        // The better column is ringed.
        let board = try #require(table.board)
        #expect(board.shown.better == 14 && board.picture(Scale(unit: 40)).count == board.shapes(Scale(unit: 40)).count + 2)
        table.show(at: 0)
        #expect(table.sentence(connect4)?.key.hasPrefix("verdict") != true && table.board?.shown.better == nil)
    }

    @Test func boxesThatAreLostAreSaid() async throws {
        let seat = try seat("dots_and_boxes", [6, 7, 19, 1, 15, 17, 4, 0, 9, 16, 13, 3, 24, 20])
        let table = seat.table
        table.replay(true)
        table.simulations = 50
        table.analyse()
        await table.settle()
        let sentence = table.sentence(Presentation("dots_and_boxes"))
        let wanted = "A3–A4: blunder, loses 8 boxes of the margin. Better: A1–A2."
        #expect(say(sentence) == wanted)
        #expect(sentence.map { Catalog.chinese.say($0) }?.contains("净差损失 8 格") == true)
    }

    @Test func howFarAnAnalysisHasComeIsSaid() async throws {
        let seat = try seat("tictactoe", [4, 0])
        let table = seat.table
        table.replay(true)
        table.know(Seen(mover: 0, chance: 0.5, best: 4), at: 0)
        let review = try #require(table.review(Presentation("tictactoe"), hasValue: true))
        #expect(say(review.status) == "1 of 3 positions analysed." && review.progress == 1.0 / 3)
        for ply in 1...2 { table.know(Seen(mover: ply % 2, chance: 0.5, best: 0), at: ply) }
        let whole = try #require(table.review(Presentation("tictactoe"), hasValue: true))
        #expect(say(whole.status) == "No mistake was found." && !table.hasMistakes)
        #expect(say(table.sentence(Presentation("tictactoe"))) == "Row 1, column 1: good.")
        #expect(whole.rows.last?.figures.map { Catalog.english.say($0) } == ["–", "–"], "too few moves to judge")
    }

    @Test func aGameThatIsWatchedIsJudgedByItsPieces() throws {
        let seat = try seat("tictactoe", human: nobody, [4, 0])
        seat.table.replay(true)
        let review = try #require(seat.table.review(Presentation("tictactoe"), hasValue: true))
        seat.table.show(at: 1)
        #expect(say(seat.table.headline(Presentation("tictactoe"))) == "Paused: O to move")
        #expect(review.sides == Presentation("tictactoe").pieces.map { .phrase($0) })
    }

    @Test func aMistakeThatIsTriedAgainIsSpokenOf() async throws {
        let seat = try seat("connect4", [35, 36, 28, 29, 21, 22, 41])
        let table = seat.table
        table.replay(true)
        table.analyse()
        await table.settle()
        #expect(table.canRetry && table.panel.act == .tryAgain)
        table.tryAgain()
        let said = { say(table.sentence(connect4)) }
        #expect(said() == "Find a better move than column 7.")
        #expect(table.board?.shown.better == nil, "the answer is not told")
        seat.choose(6)
        #expect(said() == "Column 7 was played in the game. Try another move.")
        seat.choose(5)
        #expect(said() == "Looking at column 6.")
        await table.settle()
        #expect(said() == "Column 6 misses a win in 1. Try another move.")
        #expect(Catalog.english.say(seat.news.said).contains("Column 6 misses a win in 1. Try another move."))
        seat.choose(0)
        await table.settle()
        #expect(said() == "Column 1 is the move that the review prefers.")
        #expect(!table.canRetry)
        table.takeBack()
        #expect(table.retry == nil && table.line == nil && table.tried == nil)
    }

    @Test func theBarIsOfThePositionThatIsShown() async throws {
        let seat = try seat("connect4", human: 1, [35, 36, 28])
        let table = seat.table
        #expect(table.panel.share == nil)
        for move in [29, 22] {
            table.play(move)
            await table.settle()
        }
        let known = table.session.rates
        #expect(known.count > 1 && table.panel.share == known[table.session.moves - 1])
        table.replay(true)
        let first = try #require(known.keys.min())
        table.show(at: first)
        #expect(table.panel.share == known[first])
        table.show(at: first - 1)
        #expect(table.panel.share == nil, "what comes later is not known there")
        table.hint()
        await table.settle()
        let seen = try #require(table.found?.seen)
        #expect(table.panel.share == seen.chance(of: 1))
    }

    @Test func howACandidateGoesOnIsSaid() async throws {
        let seat = try seat("connect4", [35, 36])
        let table = seat.table
        table.hint()
        await table.settle()
        let rows = try #require(table.candidates)
        let lines = try #require(table.found?.lines)
        let longest = try #require(lines.indices.max { lines[$0].count < lines[$1].count })
        let wanted = lines[longest].map { "column \($0 % 7 + 1)" }.joined(separator: ", ")
        #expect(!lines[longest].isEmpty && say(rows[longest].line) == "then \(wanted)")
    }

    @Test func aMoveOfTheListShowsItsPositionAndHasItsMark() async throws {
        let seat = try seat("connect4", [35, 36, 28, 29, 21, 22, 37])
        let table = seat.table
        #expect(table.moveRows.map { Catalog.english.say($0.said) }.first == "1, Column 1")
        #expect(table.moveRows.map(\.isShown) == Array(repeating: false, count: 6) + [true])
        table.simulations = 50
        table.analyse()
        await table.settle()
        // A win at once, in column 1, was missed.
        let last = try #require(table.moveRows.last)
        #expect(last.mark != nil && last.mark == table.session.review.moves.last?.verdict.phrase)
        table.look(at: 2)
        #expect(table.isReplay && table.session.ply == 2 && table.moveRows.filter(\.isShown).map(\.id) == [2])
        seat.choose(6)
        #expect(!table.moveRows.contains { $0.isShown }, "a line is no move of the game")
    }

    @Test func theMoveThatIsShownIsBroughtIntoSight() throws {
        let seat = try seat("connect4", [38, 31, 39, 32])
        let table = seat.table
        let inSight = { table.moveRows.first { $0.anchor == table.moveInSight }?.id }
        #expect(inSight() == 4, "the last one is while a game is played")
        table.replay(true)
        for ply in [0, 1, 3] {
            table.show(at: ply)
            #expect(inSight() == max(1, ply))
        }
        table.play(35)
        #expect(table.line?.from == 3 && inSight() == 3, "a line branches off there")
        #expect(try self.seat("connect4", []).table.moveInSight == nil)
    }

    @Test func aSliderThatScrollsWithTheListDoesNotScrollItAway() throws {
        let seat = try seat("connect4", [38, 31, 39, 32])
        seat.table.replay(true)
        #expect(seat.moveInSight == seat.table.moveInSight && seat.moveInSight != nil)
        seat.slide(to: 2)
        #expect(seat.table.session.ply == 2 && seat.moveInSight == nil && seat.table.moveInSight != nil)
        seat.table.show(at: 3)
        #expect(seat.moveInSight == seat.table.moveInSight)
        seat.slide(to: 9)
        #expect(seat.table.session.ply == 4 && seat.moveInSight == nil)
        seat.table.replay(false)
        #expect(seat.moveInSight != nil, "the game goes on")
    }

    @Test func aFingerTriesMovesOutInAReplay() throws {
        let seat = try seat("connect4", [38, 31, 39])
        seat.isStill = true
        seat.table.replay(true)
        seat.table.show(at: 1)
        #expect(say(seat.table.place) == "Move 1 of 3")
        #expect(seat.table.headline(connect4) == Phrase("ais_turn"))
        seat.lift(at: try #require(seat.table.board).frame(of: 0).centre)
        #expect(say(seat.table.place) == "Line of your own: 1 after move 1")
        #expect(seat.table.displayed.actions == [38, 35] && seat.table.session.moves == 3)
        #expect(seat.heard?.tone == .place)
        #expect(seat.table.headline(connect4) == Phrase("your_turn"))
        let said = Catalog.english.say(seat.news.said)
        #expect(said.contains("Column 1") && !said.contains("Column 5"), "\(said)")
        seat.table.takeBack()
        #expect(seat.table.board?.shown.last == 38)
        // A walk through the game is silent.
        let count = seat.heard
        seat.table.show(at: 3)
        #expect(seat.heard == count)
    }
}
