import AzxEngine
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// The screen on which a position is set up, tapped at random: nothing is lost, and what cannot come about is refused with a word.
@MainActor @Suite(.timeLimit(.minutes(10))) struct SettingUpTests {
    /// One tap, or another of the screen's controls.
    private func touch(_ setting: SettingUp, _ drawing: inout Drawing) throws {
        switch drawing.draw(12) {
        case 0: setting.letMove(drawing.draw(2))
        case 1: setting.tool = .take
        case 2 where drawing.draw(8) == 0: setting.clear()
        default: setting.tool = .put(drawing.draw(2))
        }
        setting.choose(drawing.draw(try #require(setting.board).spots))
    }

    @Test func sixtySeededSetUpsOutliveTheApp() throws {
        var (possible, refused, deaths) = (0, 0, 0)
        for seed in 0..<60 {
            var drawing = Drawing(UInt32(seed))
            let game = Game.games[seed % Game.games.count]
            let (notebook, empty) = (Notebook(), Position(game: game.name, settings: [:]))
            var setting = try SettingUp(empty, keeping: notebook, in: nil)
            for step in 0..<20 {
                let about: Comment = "seed \(seed), step \(step), \(game.name)"
                try touch(setting, &drawing)
                if drawing.draw(3) > 0 { continue }
                // The app ends, and the next one begins.
                let before = (setting.setUp.text, try Fixtures.draw(setting.setUp.shown), setting.setUp.toMove)
                setting = try SettingUp(empty, keeping: notebook, in: nil)
                #expect(setting.setUp.text == before.0 && setting.setUp.toMove == before.2, about)
                #expect(try Fixtures.draw(setting.setUp.shown) == before.1, about)
                deaths += 1
            }
            setting = try SettingUp(empty, keeping: notebook, in: nil)
            let about: Comment = "seed \(seed), \(game.name): \(setting.setUp.text)"
            guard let position = setting.position else {
                refused += 1
                #expect(setting.asides.contains { $0.key == "not_possible" || $0.key.hasPrefix("setup_") }, about)
                continue
            }
            possible += 1
            let people = People(from: position, in: nil) { 0 }
            people.begin()
            let session = try #require(people.table, about).session
            #expect(try Fixtures.draw(session.latest) == Fixtures.draw(setting.setUp.shown), about)
            #expect(session.latest.toMove == setting.setUp.toMove && session.setUp == session.moves, about)
        }
        #expect(possible > 10 && refused > 10 && deaths > 200, "\(possible), \(refused), \(deaths)")
    }

    /// Discs turn, so that positions of Reversi are made by moves: a cell that turns none is refused in the rules' own word.
    @Test func reversiIsSetUpByItsMovesAndPlayedOn() throws {
        let setting = try SettingUp(Position(game: "reversi", settings: ["size": "4"]), keeping: Notebook(), in: nil)
        #expect(setting.setUp.isByMoves && setting.asides.first?.key == "set_up_by_moves")
        setting.choose(0)
        #expect(Catalog.english.say(try #require(setting.asides.last)).contains("turns none over"), "\(setting.asides)")
        #expect(setting.setUp.isEmpty)
        setting.choose(setting.setUp.shown.legalActions()[0])
        #expect(setting.asides.count == 1 && setting.setUp.moves.count == 1 && setting.setUp.toMove == 1)
        let people = People(from: try #require(setting.position), in: nil) { 0 }
        people.begin()
        #expect(people.table?.session.latest.toMove == 1 && people.table?.session.ply == 1)
        setting.tool = .take
        setting.choose(0)
        #expect(setting.setUp.isEmpty)
    }
}
