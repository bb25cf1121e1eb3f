import AzxBundle
import AzxEngine
import Foundation
import Observation
import Support
import Testing

@testable import AzxPlay

/// Two people at one device, and positions that are set up: nothing is lost, whatever happens to the app.
@MainActor @Suite(.timeLimit(.minutes(10))) struct PeopleTests {
    private let people = TwoPeople()

    @Test func everyGameBeginsOnEveryBoard() throws {
        for game in Game.games {
            for setting in game.settings where ["size", "rows", "columns"].contains(setting.name) {
                for value in setting.choices {
                    let table = try people.sit(game.name, nil, Agreed(), [setting.name: value])
                    table.play(table.session.latest.legalActions()[0])
                    #expect(table.session.actions.count >= 1 && table.record.settings[setting.name] == value)
                }
            }
        }
    }

    @Test func sixtySeededGamesLoseNothing() async throws {
        for seed in 0..<60 {
            var random = Seeded(UInt64(seed))
            let game = Game.games[seed % Game.games.count]
            let agreed = Agreed(
                names: ["Ann \(seed)", "Bo"], isUndoAsked: Bool.random(using: &random), minutes: [0, 5].randomElement(using: &random) ?? 0,
                increment: 2)
            var time = 0
            var library = people.folder.library()
            await library.open()
            var table = try people.sit(game.name, library, agreed, now: { time })
            table.enter()
            var moves: [Int] = []
            for step in 0..<20 {
                let what: Comment = "seed \(seed), step \(step), \(game.name)"
                time += 1_000
                switch Int.random(in: 0..<8, using: &random) {
                case 0 where table.canUndo && table.session.phase == .yours:
                    table.undo()
                    let isAgreed = Bool.random(using: &random)
                    if agreed.isUndoAsked {
                        // The question outlives the app, too.
                        (table, library) = try await people.again(table, library, now: { time })
                        #expect(table.shared.asker != nil, what)
                        table.answer(isAgreed)
                    }
                    if isAgreed || !agreed.isUndoAsked { moves = try takenBack(table.session.states[0], moves) }
                case 1 where !moves.isEmpty:
                    let left = [0, 1].map { table.left(of: $0) }
                    table.leave()
                    (table, library) = try await people.again(table, library, now: { time })
                    #expect([0, 1].map { table.left(of: $0) } == left, what)
                case 2 where !moves.isEmpty:
                    // Without a word: what the last move has kept is there.
                    (table, library) = try await people.again(table, library, now: { time })
                default:
                    guard table.canPlay, let action = table.session.latest.legalActions().dropLast().randomElement(using: &random)
                        ?? table.session.latest.legalActions().first
                    else { break }
                    table.play(action)
                    moves.append(contentsOf: table.session.actions.dropFirst(moves.count))
                    #expect(moves.contains(action), what)
                }
                #expect(table.session.actions == moves, what)
                #expect(table.session.names == agreed.names && table.shared.isUndoAsked == agreed.isUndoAsked, what)
                #expect((table.left(of: 0) != nil) == (agreed.minutes > 0), what)
            }
        }
    }

    /// The moves without the last one that a person has chosen.
    private func takenBack(_ start: any State, _ moves: [Int]) throws -> [Int] {
        let states = try #require(replay(start, moves, whole: false))
        let at = try #require(moves.indices.last { !isForcedPass(states[$0]) })
        return Array(moves[..<at])
    }

    @Test func theRecordHasTwoPeopleByTheirNames() async throws {
        let library = people.folder.library()
        await library.open()
        let table = try people.sit("connect4", library)
        table.play(38)
        let record = try #require(library.list.first)
        #expect(record.isOfTwo && record.human == reader && record.players.map(\.name) == ["Ann", "Bo"])
        let read = try #require(GameRecord(try Json(parsing: Data(record.json.bytes)))?.kept)
        #expect(read.session.isRead && read.session.names == ["Ann", "Bo"] && read.identity.sides?.count == 2)
    }

    @Test func timeGoesByFromTheFirstMoveOn() throws {
        var time = 0
        let table = try people.sit("connect4", nil, Agreed(minutes: 1, increment: 5), now: { time })
        table.enter()
        time = 30_000
        table.play(38)
        #expect([0, 1].map { table.left(of: $0) } == [65_000, 60_000])
        time += 59_999
        #expect(!table.tick())
        time += 1
        #expect(table.tick())
        #expect(table.session.phase == .over && table.session.winner == 0)
        #expect(table.record.json["end"] == .object(["kind": .text("time"), "by": .number(1)]))
        #expect(GameRecord(table.record.json)?.winner == 0)
    }

    @Test func theClockIsSeenToGo() throws {
        var time = 0
        let table = try people.sit("connect4", nil, Agreed(minutes: 1), now: { time })
        table.enter()
        table.play(38)
        table.tick()
        for (more, isSeen) in [(100, false), (800, false), (100, true), (999, false), (1, true)] {
            let changes = Told()
            withObservationTracking {
                _ = table.left(of: 0)
            } onChange: {
                changes.add()
            }
            time += more
            table.tick()
            #expect((changes.count == 1) == isSeen, "at \(time)")
        }
    }

    @Test func whoGivesUpHasLostAndSgfSaysSo() throws {
        let table = try people.sit("go", nil, Agreed(names: ["Ann", ""]), ["size": .number(19)])
        table.play(60)
        table.resign()
        let text = try #require(table.text)
        #expect(table.session.winner == 0 && text.contains("RE[B+R]") && text.contains("SZ[19]") && text.contains("PB[Ann]"))
        #expect(table.rematch().session.names == ["", "Ann"])
    }

    @Test func sixtySeededPositionsAreSetUpAndReachedAgain() throws {
        var reached = 0
        for seed in 0..<60 {
            var random = Seeded(UInt64(seed))
            let game = Game.games[seed % Game.games.count]
            guard let setUp = try randomPosition(game, &random) else { continue }
            reached += 1
            let what: Comment = "seed \(seed): \(setUp.text)"
            // It outlives the app.
            let empty = try SetUp(game, [:])
            let left = try #require(SetUp(empty, left: setUp.text), what)
            #expect(left.pieces == setUp.pieces && left.moves == setUp.moves && left.toMove == setUp.toMove, what)
            let states = try setUp.states()
            #expect(try cells(states[states.count - 1]) == cells(setUp.shown), what)
            #expect(states[states.count - 1].toMove == setUp.toMove, what)
            let all = Settings(uniqueKeysWithValues: game.settings.map { ($0.name, $0.usual) })
            let kept = game.begin(all, from: states, Agreed())
            let table = SharedTable(kept, game, in: nil, now: { 0 })
            let back = try #require(GameRecord(table.record.json)?.keptShared, what)
            // The root is the position that was set up: nothing before it is shown.
            #expect(back.session.show(0).ply == back.session.setUp && back.session.moves == back.session.setUp, what)
            for text in [kept.text(game, names: ["", ""]), kept.link(game)] {
                let record = try Record(try #require(text, what))
                let last = try #require(try record.states(try game.begin(record.settings)).last)
                #expect(try cells(last) == cells(states[states.count - 1]) && last.toMove == setUp.toMove, what)
            }
            #expect(try Record(try #require(kept.link(game))).setUp == states.count - 1, what)
        }
        #expect(reached > 40)
    }

    /// What lies on a board, whoever is to move.
    private func cells(_ state: any State) throws -> [Float] {
        if let boxes = state as? DotsAndBoxes { return try boxes.plane("edges") + boxes.scores.map(Float.init) }
        return try state.plane("player0") + state.plane("player1")
    }

    /// Pieces of a position that random moves lead to; nil if the game has ended.
    private func randomPosition(_ game: Game, _ random: inout Seeded) throws -> SetUp? {
        var setUp = try SetUp(game, [:])
        var state = try game.begin()
        for _ in 0..<Int.random(in: 2...(state.actions > 20 ? 20 : 4), using: &random) where !state.isTerminal {
            let action = try #require(state.legalActions().randomElement(using: &random))
            if setUp.isByMoves, !setUp.shown.isTerminal {
                try setUp.put(try #require(setUp.shown.legalActions().randomElement(using: &random)), setUp.toMove)
            }
            state = try state.apply(action)
        }
        if setUp.isByMoves { return setUp.shown.isTerminal ? nil : setUp }
        if state.isTerminal { return nil }
        for (player, plane) in try ["player0", "player1"].map({ try state.plane($0) }).enumerated() {
            for at in plane.indices where plane[at] > 0 && !(state is any ColumnState) { try setUp.put(at, player) }
        }
        if state is any ColumnState {
            let (one, two) = (try state.plane("player0"), try state.plane("player1"))
            for at in one.indices.reversed() where one[at] + two[at] > 0 { try setUp.put(at, one[at] > 0 ? 0 : 1) }
        }
        setUp.letMove(state is Go && !setUp.isEmpty ? Int.random(in: 0...1, using: &random) : state.toMove)
        return setUp
    }

    @Test func theRulesRefuseWhatCannotComeAbout() throws {
        var two = try SetUp(try Game.find("tictactoe"), [:])
        try two.put(0, 0)
        try two.put(1, 0)
        #expect(throws: Impossible.turn) { try two.states() }
        for at in [3, 4] { try two.put(at, 1) }
        try two.put(2, 0)
        two.letMove(1)
        #expect(throws: Impossible.rule(Refusal(.over))) { try two.states() }
        var go = try SetUp(try Game.find("go"), [:])
        for (at, player) in [(0, 0), (1, 1), (9, 1)] { try go.put(at, player) }
        #expect(throws: Impossible.noLiberty(0)) { try go.states() }
        var discs = try SetUp(try Game.find("reversi"), [:])
        #expect(throws: Impossible.rule(Refusal(.turnsNothing))) { try discs.put(0, 0) }
        var columns = try SetUp(try Game.find("connect4"), [:])
        try columns.put(3, 0)
        try columns.put(3, 1)
        #expect(columns.pieces == [38: 0, 31: 1])
        columns.take(3)
        #expect(columns.pieces == [38: 0])
    }
}

/// How often something was told, from whatever thread.
private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var told = 0

    var count: Int { lock.withLock { told } }

    func add() { lock.withLock { told += 1 } }
}

/// Numbers by a seed, the same on every machine.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
