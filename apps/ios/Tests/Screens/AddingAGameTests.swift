import AzxBundle
import AzxPlay
import Foundation
import Support
import Testing

@testable import AzxDrawing
@testable import AzxEngine
@testable import AzxScreens

// A tiny game, added by the step of docs/adding-a-game.md for this app and nothing else: rules, an entry, a board, words.

/// Three in a row on one row of cells.
private struct Row: State {
    var cells: [UInt8]
    var winner: Player?
    var lastAction: Int?

    init(size: Int = 6) { cells = [UInt8](repeating: Cell.empty, count: size) }

    var actions: Int { cells.count }
    var board: [Int] { [1, cells.count] }
    var encoding: Encoding { Encoding(layout: .channelsFirst, board: board, planes: ["mover", "opponent"]) }
    var toMove: Player { cells.count { $0 != Cell.empty } % 2 }
    var isTerminal: Bool { winner != nil || !cells.contains(Cell.empty) }

    func legalActions() -> [Int] { isTerminal ? [] : cells.indices.filter { cells[$0] == Cell.empty } }

    func whyIllegal(_ action: Int) -> Refusal? {
        if isTerminal { return Refusal(.over) }
        guard cells.indices.contains(action) else { return Refusal(.noSuchAction) }
        return cells[action] == Cell.empty ? nil : Refusal(.occupied)
    }

    func apply(_ action: Int) throws -> Row {
        if whyIllegal(action) != nil { throw illegal("row", action, legalActions()) }
        var next = self
        (next.cells[action], next.lastAction) = (mark(toMove), action)
        let ends = next.cells.indices.dropLast(2)
        if ends.contains(where: { next.cells[$0...$0 + 2].allSatisfy { $0 == mark(toMove) } }) { next.winner = toMove }
        return next
    }

    func returns() -> Int { result(of: winner) }

    func plane(_ name: String) throws -> [Float] {
        guard ["mover", "opponent"].contains(name) else { throw unknownPlane("row", name, known: ["mover", "opponent"]) }
        let piece = mark(owner(of: name, toMove: toMove))
        return cells.map { $0 == piece ? 1 : 0 }
    }

    func encode() -> [Float] { ["mover", "opponent"].flatMap { (try? plane($0)) ?? [] } }

    func label(_ action: Int) throws -> String { String(action) }
}

/// A square a cell.
private struct RowBoard: Board {
    let shown: Shown
    let cells: [UInt8]

    var width: Double { Double(cells.count) }
    var height: Double { 1 }
    var spots: Int { cells.count }
    var title: Phrase.Part { .text("Three in a row") }

    func spot(at point: AzxDrawing.Point) -> Int? { cells.indices.first { frame(of: $0).contains(point) } }
    func frame(of spot: Int) -> Box { Box(Double(spot), 0, 1, 1) }
    func action(of spot: Int) -> Int { spot }

    func shapes(_: Scale) -> [Shape] {
        cells.indices.filter { cells[$0] != Cell.empty }.map { cell in
            let disc = Outline.circle(frame(of: cell).centre, radius: 0.4)
            return .fill(disc, .plain(.role(cells[cell] == 1 ? .red : .blue)))
        }
    }

    func speech(of spot: Int) -> [Phrase.Part] {
        let content = cells[spot] == Cell.empty ? "board_empty" : cells[spot] == 1 ? "board_red" : "board_blue"
        return [.whole(spot), .words(content)]
    }

    func announcement(of action: Int) -> Phrase.Part? { .words("board_move", speech(of: action)[1], .whole(action)) }
}

extension Row: Drawn {
    func drawing(_ shown: Shown) -> any Board { RowBoard(shown: shown, cells: cells) }
}

/// What games/data/shapes.json would have of it.
private let entry = """
    {"name": "row", "title": "Three in a row",
     "settings": [{"name": "size", "default": 6, "choices": [6, 8], "about": "cells"}],
     "encoding": {"layout": "channels_first", "planes": ["mover", "opponent"]},
     "board": [{"setting": "size", "times": 0, "plus": 1}, {"setting": "size", "times": 1, "plus": 0}],
     "policies": [{"name": "cell", "factors": [{"setting": "size", "times": 1, "plus": 0}], "plus": 0}]}
    """

private let row: Game = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return Game(try! decoder.decode(Shapes.self, from: Data(entry.utf8))) { Row(size: $0["size"]?.whole ?? 0) }
}()

private let words = Presentation(
    game: "row", name: Phrase("games"), prompt: Phrase("tap_cell"), pieces: [Phrase("red"), Phrase("blue")])

@Suite struct AddingAGameTests {
    @Test func itIsFoundWhereItWasAddedAndNowhereElse() throws {
        #expect(throws: GameError.self) { try Game.find("row") }
        try Game.$added.withValue([row]) { () throws -> Void in
            #expect(Game.games.map(\.name).last == "row")
            #expect(try Game.find("row").begin(["size": .text("8")]).board == [1, 8])
            #expect(throws: GameError.self) { try Game.find("row").begin(["size": .number(7)]) }
        }
    }

    @Test func aNetworksManifestIsReadAndItsPolicyNumbered() throws {
        let text = """
            {"game": "row", "actions": "cell",
             "encoding": {"layout": "channels_first", "board": [1, 8], "planes": ["mover", "opponent"]}}
            """
        let manifest = try Json(parsing: text.utf8)
        let reading = try Game.$added.withValue([row]) { try Reading(manifest: manifest, width: 8) }
        #expect(reading.settings == ["size": .number(8)])
        let state = try reading.start().apply(2)
        #expect(try reading.tensor(state) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
        #expect(reading.policy([0, 1, 2, 3, 4, 5, 6, 7], state) == [0, 1, 2, 3, 4, 5, 6, 7])
    }

    @Test func aSearchFindsAWinInOneMoveAndStopsAnother() async throws {
        let state = try Row().apply(2).apply(0).apply(3).apply(5)
        #expect([1, 4].contains(try await best(state)))
        #expect(try await best(try Row(size: 8).apply(0).apply(7).apply(1)) == 2)
    }

    @Test func theBoardIsDrawnTappedAndSpoken() throws {
        let board = try board(Shown(try Row().apply(3), human: 1, last: 3))
        let fit = Fit(board, width: 390, height: 200, pixels: 3)
        #expect(board.picture(fit.scale).count == 1)
        #expect(board.spoken.filter(\.isButton).map(\.action) == [0, 1, 2, 4, 5])
        for spoken in board.spoken {
            let middle = fit.place(spoken.frame).centre
            #expect(board.action(at: fit.point(x: middle.x, y: middle.y)) == spoken.action)
        }
        #expect(board.action(at: fit.point(x: 10, y: 10)) == nil)
        #expect(Catalog.english.say(board.speech(of: 3)).contains(Catalog.english.say(Phrase("board_red"))))
    }

    /// Against a network that plays the first cell that is free, alone.
    @Test func aGameIsPlayedToItsEndAndItsRecordReadBack() async throws {
        var session = Session(try row.begin(), human: 0)
        #expect(status(session, words) == words.prompt)
        session = try session.play(3)
        while session.phase != .over {
            let state = session.latest
            let reply = try Uniform().evaluate(state).best(state.legalActions())
            session = try session.play(session.phase == .yours ? try await best(state) : reply)
        }
        #expect(session.winner == 0 && session.moves == 5)
        #expect(session.undo().moves == 4)
        let written = try WrittenGame(row, [:], session.states)
        let line = written.line
        #expect(line.hasPrefix("row size=6: 3 0 "))
        try Game.$added.withValue([row]) { () throws -> Void in
            for text in [line, try #require(written.link("row"))] {
                let record = try Record(text)
                #expect(record.game == "row")
                #expect(try record.states(row.begin(record.settings)).compactMap(\.lastAction) == session.actions)
            }
        }
    }

    private func best(_ state: any State) async throws -> Int {
        let search = Search(state, Uniform())
        try await search.run(400)
        return try await search.bestAction()
    }
}
