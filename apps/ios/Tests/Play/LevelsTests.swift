import Support
import Testing

@testable import AzxEngine
@testable import AzxPlay

/// The levels, against levels.json: every language has the same table and draws the same moves.
@Suite(.timeLimit(.minutes(10))) struct LevelsTests {
    private func level(_ written: Json) throws -> Level {
        Level(
            simulations: try written.int("simulations"), threshold: try written.double("threshold"),
            temperature: try written.double("temperature"))
    }

    private func seed(_ written: Json) throws -> UInt64 { UInt64(try written.int("seed")) }

    @Test func theTableIsThatOfEveryLanguage() throws {
        var games: Set<String> = []
        for row in try Fixtures.read("levels").items("table") {
            let levels = try row.items("levels").map(level)
            if let game = row["game"].text { games.insert(game) }
            #expect(levels == (row["game"].text.map { Tables.levels.games[$0] } ?? Tables.levels.unmeasured))
        }
        #expect(games == Set(Tables.levels.games.keys))
    }

    @Test func thereAreOthersWithoutAPolicyAndForAGameThatWasNotMeasured() {
        #expect(Levels.of("connect4", hasPolicy: true) == Tables.levels.games["connect4"])
        #expect(Levels.of("connect4", hasPolicy: false) == Tables.levels.unmeasured)
        #expect(Levels.of("chess", hasPolicy: true) == Tables.levels.unmeasured)
    }

    @Test func numbersAreThoseOfEveryLanguage() throws {
        for written in try Fixtures.read("levels").items("numbers") {
            let number = Levels.splitmix64(try seed(written), try written.int("ply"))
            #expect(try UInt64(written.string("number"), radix: 16) == number)
            #expect(try Levels.chance(seed(written), written.int("ply")) == Double(number >> 11) / 9_007_199_254_740_992)
        }
    }

    @Test func choicesAreThoseOfEveryLanguage() throws {
        let choices = try Fixtures.read("levels").items("choices")
        #expect(choices.count > 100)
        for written in choices {
            let weights = try written.items("weights").map { pair in
                let numbers = try #require(pair.list)
                return (action: try #require(numbers[0].whole), weight: try #require(numbers[1].number))
            }
            let found = try Levels.chooseAction(
                weights, level(written["level"]), seed: seed(written), ply: written.int("ply"),
                pass: written["passing"].whole)
            #expect(try found == written.int("action"), "\(written)")
        }
        #expect(throws: GameError.self) { try Levels.chooseAction([], Level(simulations: 200, threshold: 0, temperature: 0), seed: 0, ply: 0) }
    }

    @Test func wholeGamesAreThoseOfEveryLanguage() async throws {
        for written in try Fixtures.read("levels").items("games") {
            let (game, actions) = (try written.string("game"), try written.ints("actions"))
            let thinker = Thinker(try reading(game), HashEvaluator(), hasValue: true)
            #expect(actions.count > 4)
            for (ply, action) in actions.enumerated() {
                let limit = Limit.level(1 + ply % 8, seed: try seed(written))
                let thought = try await thinker.think([:], Array(actions.prefix(ply)), limit) { _ in }
                #expect(thought.action == action, "\(game), ply \(ply)")
            }
        }
    }

    @Test func onlyGoPassesAmongOtherMoves() throws {
        for game in Tables.levels.games.keys {
            #expect(try Levels.findPass(try Game.find(game).begin()) == (game == "go" ? 81 : nil), "\(game)")
        }
    }
}
