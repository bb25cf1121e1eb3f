import AzxEngine
import Support
import Testing

@testable import AzxPlay

/// Who was asked to think for which side.
@MainActor private final class Asked {
    var sides: [GameRecord.Side] = []
    var isGone = false
}

/// Games of two networks, and series of them.
@MainActor @Suite(.timeLimit(.minutes(10))) struct SeriesTests {
    private let notebook = Notebook()
    private let folder = GamesFolder()
    private let asked = Asked()
    private let own = Opponent(GameRecord.BundleName("one"), title: "One")

    private func side(_ name: String, _ strength: Strength = .policy) -> GameRecord.Side {
        GameRecord.Side(kind: .network, name: name, level: strength.level, bundle: GameRecord.BundleName(name))
    }

    private func table(_ game: String, in library: Library, kept: Kept? = nil) throws -> Table {
        let memory = Memory(notebook, bundle: game)
        memory.choices = Choices(strength: .policy, begins: .you)
        let reading = try reading(game)
        let one = Thinker(reading, HashEvaluator(), hasValue: true)
        let two = Thinker(reading, Uniform(), hasValue: true)
        let opened = Opened(reading, one, memory, Opened.Shelf(library, own)) { [asked] side in
            if asked.isGone { throw GameError("gone") }
            asked.sides.append(side)
            return side.bundle?.name == "one" ? one : two
        }
        return try Table(opened, kept: kept, chance: { 0 }, rest: { _ in await Task.yield() })
    }

    private func finish(_ table: Table) async {
        while let series = table.series, !series.isOver {
            await series.task?.value
            await table.settle()
        }
    }

    @Test func theSidesChangeAfterEachGameAndTwoHaveOneOpening() {
        let rounds = Round.all(4)
        #expect(rounds.map(\.first) == [0, 1, 0, 1] && rounds.map(\.opening) == [0, 0, 1, 1])
        #expect(Round.all(1) == [Round(first: 0, opening: nil)])
        var tally = Tally()
        tally.count(rounds[0], winner: 0)
        tally.count(rounds[1], winner: 0)
        tally.count(rounds[2], winner: nil)
        tally.count(rounds[3], winner: 1)
        #expect(tally.won == [2, 1] && tally.drawn == 1 && tally.played == 4)
        #expect(tally.byPlayer(rounds[0]) == [2, 1] && tally.byPlayer(rounds[1]) == [1, 2])
    }

    @Test(arguments: ["tictactoe", "connect4", "go"]) func openingsDifferAndEndNoGame(_ game: String) async throws {
        let start = try reading(game).start()
        let network = HashEvaluator()
        var (known, random) = (Set<[Int]>(), UInt64(0))
        for number in 1...8 {
            let session = try await drawOpening(start, openingMoves(game), { session in
                let legal = session.latest.legalActions()
                return Dictionary(uniqueKeysWithValues: zip(legal, network.evaluate(session.latest).priors(legal)))
            }, known: &known, random: { random += 1; return random })
            #expect(session.moves == openingMoves(game) && !session.latest.isTerminal && session.isWatched)
            #expect(known.count == number, "none is there twice")
            if let go = session.states[0] as? Go { #expect(!session.actions.contains(go.pass)) }
        }
    }

    @Test func aSeriesIsPlayedToItsEndAndEachGameIsAnEntry() async throws {
        let library = folder.library()
        let table = try table("tictactoe", in: library)
        let sides = [side("one"), side("two", .simulations50)]
        table.begin(sides, count: 4, Choices(strength: .level1, begins: .watch, pace: .fast))
        #expect(table.choices.strength == .level1)
        let series = try #require(table.series)
        await finish(table)
        #expect(table.series === series && series.isOver && !series.isPlaying && series.tally.played == 4)
        let games = library.list.sorted { $0.begun < $1.begun }
        #expect(games.count == 4 && games.allSatisfy { $0.over && $0.origin == .watched })
        let names = games.map { $0.players.map(\.name) }
        #expect(Set(names.map { $0[0] }) == ["one", "two"] && names.allSatisfy { Set($0) == ["one", "two"] })
        // Each opening is played with both sides.
        let openings = Dictionary(grouping: games) { Array($0.actions.prefix(2)) }
        #expect(openings.count == 2)
        for pair in openings.values { #expect(Set(pair.map { $0.players[0].name }) == ["one", "two"]) }
        let won = games.reduce(into: [0, 0]) { sum, game in
            if let winner = game.winner { sum[game.players[winner].name == "one" ? 0 : 1] += 1 }
        }
        #expect(won == series.tally.won)
        #expect(Set(asked.sides) == Set(sides), "each side thinks for itself")
    }

    @Test func oneGameHasNoOpening() async throws {
        let table = try table("connect4", in: folder.library())
        table.begin([side("two", .level1), side("one", .level2)], count: 1, Choices(begins: .watch, pace: .fast))
        await finish(table)
        #expect(table.series?.tally.played == 1 && table.wins == nil)
        #expect(table.session.phase == .over && table.sides?.map(\.name) == ["two", "one"])
    }

    @Test func aSeriesThatIsStoppedLeavesItsGameAsItIs() async throws {
        let table = try table("connect4", in: folder.library())
        table.begin([side("one"), side("two")], count: 2, Choices(begins: .watch, pace: .fast))
        let series = try #require(table.series)
        await series.task?.value
        #expect(series.isPlaying && table.session.moves == 4 && table.wins == [0, 0])
        series.stop()
        await table.settle()
        #expect(series.isOver && !series.isPlaying && table.isPaused && series.tally.played == 0)
        // The game itself goes on, and is no game of a series.
        table.pause(false)
        await table.settle()
        #expect(table.session.phase == .over && series.tally.played == 0)
    }

    @Test func anotherGameEndsTheSeries() async throws {
        let table = try table("connect4", in: folder.library())
        table.begin([side("one"), side("two")], count: 10, Choices(begins: .watch, pace: .fast))
        let series = try #require(table.series)
        await series.task?.value
        table.restart(Choices(strength: .policy, begins: .you))
        #expect(table.series == nil && series.isOver && table.sides == nil && table.canPlay)
        // Before its first game was laid out, too.
        table.begin([side("one"), side("two")], count: 2, Choices(begins: .watch))
        let second = try #require(table.series)
        table.restart(Choices(strength: .policy, begins: .you))
        await second.task?.value
        #expect(table.series == nil && second.isOver && table.session.hasPerson)
    }

    @Test func whoIsNotThereIsWaitedFor() async throws {
        let table = try table("tictactoe", in: folder.library())
        table.begin([side("one"), side("two")], count: 2, Choices(begins: .watch, pace: .fast))
        let series = try #require(table.series)
        await series.task?.value
        table.leave()
        table.resume()
        await table.settle()
        table.leave()
        for _ in 0..<100 { await Task.yield() }
        #expect(series.tally.played == 1 && !series.isPlaying && table.session.phase == .over)
        table.resume()
        await finish(table)
        #expect(series.tally.played == 2)
    }

    @Test func whoLooksBackAtAGameThatIsOverIsWaitedFor() async throws {
        let table = try table("tictactoe", in: folder.library())
        table.begin([side("one"), side("two")], count: 2, Choices(begins: .watch, pace: .fast))
        let series = try #require(table.series)
        table.watcher = { [weak table] _, now in if now.phase == .over { table?.replay(true) } }
        await series.task?.value
        await table.settle()
        for _ in 0..<100 { await Task.yield() }
        #expect(series.tally.played == 1 && !series.isPlaying && table.isReplay && table.session.phase == .over)
        table.watcher = nil
        table.replay(false)
        await finish(table)
        #expect(series.tally.played == 2)
    }

    @Test func whoNeverComesBackLeavesNothingBehind() async throws {
        weak var left: Table?
        let series: Series
        do {
            let table = try table("tictactoe", in: folder.library())
            left = table
            table.begin([side("one"), side("two")], count: 2, Choices(begins: .watch, pace: .fast))
            series = try #require(table.series)
            await series.task?.value
            await table.settle()
            table.leave()
        }
        await series.task?.value
        #expect(left == nil && series.tally.played == 1)
    }

    @Test func aNetworkThatIsGoneEndsTheSeriesAndIsTold() async throws {
        let table = try table("tictactoe", in: folder.library())
        asked.isGone = true
        table.begin([side("one"), side("two")], count: 2, Choices(begins: .watch))
        await table.series?.task?.value
        #expect(table.failure is GameError && table.series?.isOver == true)
    }

    @Test func aGameOfTwoNetworksGoesOnWithBothOfThem() async throws {
        let library = folder.library()
        let first = try table("connect4", in: library)
        first.begin([side("one", .level1), side("two", .level3)], count: 2, Choices(begins: .watch, pace: .fast))
        await first.series?.task?.value
        first.pause(true)
        let record = first.gameRecord
        let later = try table("connect4", in: library, kept: record.kept)
        #expect(later.sides?.map(\.level) == ["level 1", "level 3"] && later.series == nil && later.isPaused)
        asked.sides = []
        later.pause(false)
        await later.settle()
        #expect(later.session.phase == .over && Set(asked.sides.map(\.name)) == ["one", "two"])
    }

    @Test func whatWasChosenLastIsKept() throws {
        let memory = Memory(notebook, bundle: "go")
        #expect(memory.series == nil)
        let choice = SeriesChoice(bundles: ["go", "other"], strengths: [.level2, .seconds1], count: 10)
        memory.series = choice
        #expect(Memory(notebook, bundle: "go").series == choice)
        notebook.keep("go\nother\nLEVEL_2\nLEVEL_99\n10", "go series")
        #expect(memory.series == nil)
        notebook.keep("go\nother\nLEVEL_2\nLEVEL_3\n11", "go series")
        #expect(memory.series == nil)
        memory.forget()
        #expect(notebook.text("go series") == nil)
    }
}
