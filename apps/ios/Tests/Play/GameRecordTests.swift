import AzxBundle
import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxPlay

/// A game as a record: kept as JSON, read again, with what other people's files tell; nothing of a file is believed.
@Suite struct GameRecordTests {
    private let sgf = """
        (;GM[1]FF[4]SZ[9]KM[6.5]PB[Honinbo]PW[Gennan]BR[9d]EV[A cup]DT[1846-09-11]RE[B+R]RU[Japanese]C[The game]
          ;B[ee]C[A good point](;W[ec]C[main]
            ;B[cc](;W[ce])(;W[gg];B[gc]C[a joseki]))(;W[gc];B[ec](;W[cg])(;W[gg])))
        """

    private func record(_ actions: [Int] = [0, 3, 1, 4, 2], human: Player = 0) throws -> GameRecord {
        let game = try Game.find("tictactoe")
        let session = try actions.reduce(Session(try game.begin(), human: human)) { try $0.play($1) }.rate(0.25)
        let opponent = Opponent(GameRecord.BundleName("tictactoe"), title: "Tic-tac-toe")
        return GameRecord(Kept(session, settings: [:], Identity(.played)), game, board: [:], opponent, .level3)
    }

    private func again(_ data: Json) -> GameRecord? { (try? Json(parsing: data.bytes)).flatMap { GameRecord($0) } }

    private func change(_ record: GameRecord, _ name: String, _ value: Json?) -> Json {
        var members = record.json.members ?? [:]
        members[name] = value
        return .object(members)
    }

    @Test func itComesBackAsItWas() throws {
        let given = try record()
        let back = try #require(again(given.json))
        #expect(back == given && back.over && back.winner == 0)
        let kept = try #require(back.kept)
        #expect(kept.session.actions == given.actions && kept.session.rates[5] == 0.75)
        #expect(kept.identity.id == given.id && kept.session.phase == .over)
        for ending in [Ending.told("B+\"R\"\n", winner: 0), .told("0", winner: nil), .agreed([1, 80])] {
            let read = try GameRecord(telling: sgf)
            let (session, identity) = (try #require(read.kept).session, read.identity)
            var ended = session
            ended.ending = ending
            let record = GameRecord(Kept(ended, settings: read.settings, identity), try Game.find("go"), board: [:])
            #expect(again(record.json) == record)
        }
    }

    /// The page's own file, as it exports it.
    @Test func aFileOfThePageIsReadAsItMeansIt() throws {
        let text = """
            {
             "azx_game": 1, "id": "0k3v9x2m1q8w7e5r", "revision": "abcdefgh12345678",
             "begun": "2026-11-26T10:00:00.000Z", "changed": "2026-11-26T10:05:30.123Z", "origin": "watched",
             "game": "connect4", "settings": {"rows": 6, "columns": 7}, "bundle": {"name": "run-17", "given": true},
             "players": [
              {"kind": "network", "name": "Connect4", "level": "level 3", "bundle": {"name": "connect4", "given": false}},
              {"kind": "network", "name": "Connect4 (run-17)", "level": "policy", "bundle": {"name": "run-17", "given": true}}
             ],
             "human": -1, "actions": [38, 31], "end": null, "over": false, "winner": null, "rates": [[1, 0.5]],
             "seen": [[0, 0.625, 38, true], [1, 0.5, null, false]], "told": {}, "comments": [[1, "Hm"]],
             "lines": [{"from": 1, "actions": [38], "comments": [[1, "so"]], "own": true}], "left_out": 0
            }
            """
        let record = try #require(GameRecord(try Json(parsing: Array(text.utf8))))
        #expect(record.date == Date(timeIntervalSince1970: 1_795_687_200))
        #expect(record.beside.comments == [1: "Hm"])
        #expect(record.beside.lines == [Variation(from: 1, actions: [38], comments: [.init(1, "so")], own: true)])
        let kept = try #require(record.kept)
        #expect(kept.session.isWatched && kept.session.rates == [1: 0.5])
        #expect(kept.session.seen[0] == Seen(mover: 0, chance: 0.625, best: 38, isSure: true, known: Known(kept.session.states[0])))
        // Who play against each other stays so, whichever network the game is opened with.
        let own = Opponent(GameRecord.BundleName("other"), title: "Other")
        let later = GameRecord(kept, try Game.find("connect4"), board: record.settings, own, .level1)
        #expect(later.players == record.players && later.bundle?.name == "connect4" && later.revision != record.revision)
        #expect(again(later.json) == later)
    }

    /// The page says which game of a series it is, and what the next one needs: here the game is one for itself.
    @Test func aGameOfASeriesOfThePageIsReadWithoutIt() throws {
        let sound = try record()
        let place = Json.object([
            "id": .text("5e51e5f00000"), "round": .number(3), "count": .number(10), "seed": .number(7),
            "openings": .list([.list([.number(0), .number(4)])]),
        ])
        #expect(again(change(sound, "series", place)) == sound)
        #expect(again(change(sound, "series", .text("anything"))) == sound)
    }

    @Test func itIsNoneWhereAMemberIsMissingOrOfAnotherKind() throws {
        let sound = try record()
        for name in (sound.json.members ?? [:]).keys {
            #expect(again(change(sound, name, nil)) == nil, "without \(name)")
            // Settings may have any name: the rules refuse those that there are not.
            if name != "settings" { #expect(again(change(sound, name, .object(["strange": .number(1)]))) == nil, "\(name)") }
        }
        for data in [Json.null, .number(3), .text(""), .list([])] { #expect(GameRecord(data) == nil) }
        let others: [(String, Json)] = [
            ("azx_game", .number(2)), ("id", .text("../../etc")), ("id", .text("short")), ("begun", .text("yesterday")),
            ("human", .number(2)), ("human", .number(-3)), ("actions", .list([.number(0.5)])), ("winner", .number(2)),
            ("actions", .list(Array(repeating: .number(1), count: 2_001))), ("rates", .list([.list([.number(1), .number(2)])])),
            ("told", .object(["GC": .text(String(repeating: "x", count: 20_001))])), ("left_out", .number(-1)),
            ("settings", .object(["size": .bool(true)])), ("players", .list([])),
        ]
        for (name, value) in others { #expect(again(change(sound, name, value)) == nil, "\(name) \(value)") }
    }

    @Test func itIsNoGameWhereTheRulesForbidWhatItSays() throws {
        let sound = try record()
        let changes: [(String, Json)] = [
            ("actions", .list([.number(0), .number(0)])), ("game", .text("chess")), ("settings", .object(["size": .number(9)])),
            ("end", .object(["kind": .text("resigned")])),
        ]
        for (name, value) in changes {
            let record = try #require(again(change(sound, name, value)))
            #expect(record.kept == nil, "\(name)")
        }
        let late = try #require(again(change(sound, "rates", .list([.list([.number(99), .number(1)])]))))
        #expect(late.kept?.session.rates == [:], "chances of moves not played are forgotten")
    }

    /// A file of lines that no board has, and one that stands in itself as often as a file allows.
    @Test func linesThatTheRulesForbidAreLeftOutAndCounted() throws {
        let start = try Game.find("go").begin(["size": .number(19)])
        func line(_ from: Int, _ actions: [Int]) -> Json {
            .object(["from": .number(Double(from)), "actions": .list(actions.map { .number(Double($0)) }), "comments": .list([]), "own": .bool(false)])
        }
        var (state, path) = (start, [Int]())
        var lines = [line(9, [1]), line(0, [1_000_000]), line(0, [5, 5])]
        // Each goes one move further than the one before, and then elsewhere.
        for action in 0..<300 {
            lines.append(line(0, path + [action + 40]))
            path.append(action)
            guard state.whyIllegal(action) == nil else { break }
            state = try state.apply(action)
        }
        let read = try GameRecord(telling: "go size=19: A1")
        let record = try #require(again(change(read, "lines", .list(lines))))
        let kept = try #require(record.kept)
        #expect(kept.identity.beside.leftOut >= 3 && kept.identity.beside.lines.count > 40)
        let written = try WrittenGame(Game.find("go"), record.settings, kept.session.states, beside: kept.identity.beside)
        #expect(try Record(try #require(written.sgf)).moves.count == 1)
    }

    // MARK: Stones that stand before the first move

    private let handicap = "(;GM[1]SZ[9]HA[2]AB[gc][cg]KM[0.5]C[two](;W[ee];B[dd]C[good])(;W[cc]))"

    @Test func stonesThatWereSetUpStayWithTheGame() throws {
        let record = try GameRecord(telling: handicap)
        #expect(record.actions == [24, 81, 56, 40, 30] && record.setUp == 3)
        #expect(record.beside.comments == [3: "two", 5: "good"])
        #expect(record.beside.lines == [Variation(from: 3, actions: [20])])
        #expect(again(record.json) == record)
        let session = try #require(record.kept).session
        #expect(session.setUp == 3 && session.show(0).ply == 3 && session.show(0).lastMove == nil)
        #expect(session.lastMove == 30 && session.number(at: session.ply) == 2)
        let written = try WrittenGame(
            Game.find("go"), record.settings, session.states, beside: record.beside, setUp: session.setUp)
        let text = "KM[0.5]RU[Tromp-Taylor]HA[2]AB[gc][cg]PL[W]C[two]\n(;W[ee];B[dd]C[good])\n(;W[cc]))\n"
        #expect(written.sgf == "(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]" + text)
    }

    @Test func aHandicapThatAFileToldIsNotToldTwice() throws {
        let record = try GameRecord(telling: handicap)
        var beside = record.beside
        beside.told["HA"] = "2"
        let states = try #require(record.kept).session.states
        let written = try WrittenGame(Game.find("go"), record.settings, states, beside: beside, setUp: 3)
        #expect(written.sgf?.split(separator: "HA[").count == 2)
    }

    @Test func howManyStandThereIsReadAsAllElseThatAFileSays() throws {
        let sound = try GameRecord(telling: handicap)
        #expect(again(change(sound, "set_up", nil))?.setUp == 0, "a record of before has none")
        for number in [0, 3, 5] { #expect(again(change(sound, "set_up", .number(Double(number))))?.setUp == number) }
        for wrong in [Json.number(6), .number(-1), .number(0.5), .text("3"), .null] {
            #expect(again(change(sound, "set_up", wrong)) == nil, "\(wrong)")
        }
        // What is said of the placing moves is forgotten.
        let rates = change(sound, "rates", .list([.list([.number(1), .number(1)]), .list([.number(3), .number(0.5)])]))
        #expect(again(rates)?.kept?.session.rates == [3: 0.5])
        let line = Json.object(["from": .number(1), "actions": .list([.number(0)]), "comments": .list([]), "own": .bool(false)])
        let beside = again(change(sound, "lines", .list([line])))?.kept?.identity.beside
        #expect(beside?.lines == [] && beside?.leftOut == 1)
    }

    @Test func aVariationThatSetsStonesUpIsLeftOutAndCounted() throws {
        let beside = try GameRecord(telling: "(;GM[1]SZ[9](;AB[aa];W[ee])(;AB[bb];W[dd]))").beside
        #expect(beside.lines.isEmpty && beside.leftOut == 1)
    }

    @Test func aVariationThatBeginsBeforeAllStonesStandIsLeftOutAndCounted() throws {
        let text = "(;GM[1]SZ[9](;AB[cc];W[dd](;B[ee])(;B[ff]))(;B[aa])(;B[bb]))"
        let beside = try GameRecord(telling: text).beside
        #expect(beside.lines.map { [$0.from] + $0.actions } == [[2, 50]] && beside.leftOut == 2)
    }

    @Test func aGameIsNotTakenBackPastTheStonesThatWereSetUp() throws {
        let session = try #require(try GameRecord(telling: handicap).kept).session
        let played = session.takeOver()
        #expect(played.human == 0 || played.human == 1)
        #expect(played.canUndo, "white and black have moved")
        let first = session.shorten(to: 3).takeOver()
        #expect(first.human == 1 && !first.canUndo && !first.isBegun && first.undo().moves == 3)
        let later = try first.play(41)
        #expect(later.canUndo && later.undo().moves == 3 && later.lastMove == 41)
    }

    // MARK: Other people's

    @Test func aRecordOfOtherPeopleKeepsAllThatItTells() throws {
        let record = try #require(again(try GameRecord(telling: sgf).json))
        let beside = record.beside
        #expect(record.players.map(\.name) == ["Honinbo", "Gennan"] && record.players.map(\.kind) == [.file, .file])
        #expect((record.human, record.origin, record.over, record.winner, record.bundle) == (reader, .opened, true, 0, nil))
        #expect(beside.told["RE"] == "B+R" && beside.told["RU"] == "Japanese" && beside.told["EV"] == "A cup")
        #expect(record.settings == ["komi": .number(6.5), "size": .number(9)])
        #expect(beside.comments == [0: "The game", 1: "A good point", 2: "main"])
        func point(_ name: String) -> Int {
            let signs = name.utf8.map { Int($0) - 97 }
            return 9 * signs[1] + signs[0]
        }
        let lines = beside.lines.map { [$0.from] + $0.actions }
        #expect(Set(lines) == [
            [3, point("gg"), point("gc")], [1, point("gc"), point("ec"), point("cg")], [1, point("gc"), point("ec"), point("gg")],
        ])
        #expect(beside.lines.first { $0.from == 3 }?.comments == [.init(2, "a joseki")])
        let session = try #require(record.kept).session
        #expect((session.phase, session.winner, session.names) == (.over, 0, ["Honinbo", "Gennan"]))
        #expect(try GameRecord(telling: sgf.replacing("RE[B+R]", with: "")).kept?.session.phase == .read)
    }

    @Test func whatTheRulesForbidInAVariationIsCountedAndLeftOut() throws {
        let beside = try GameRecord(telling: "(;GM[1]SZ[9];B[ee](;W[ec])(;W[ee];B[cc]))").beside
        #expect(beside.lines.isEmpty && beside.leftOut == 1)
        // A text that is as deep as a text may be.
        let deep = String(repeating: "(;C[a]", count: 50_000) + String(repeating: ")", count: 50_000)
        _ = try GameRecord(telling: "(;GM[1]SZ[9];B[ee]\(deep))")
    }

    @Test func itIsWrittenWithAllOfThatAndReadAgain() throws {
        for text in [sgf, sgf.replacing("C[The game]", with: "GC[a \\] and \\\\\nb]"), "(;GM[1]SZ[9];B[ee](;W[ec])(;W[gg]C[x]))"] {
            let record = try GameRecord(telling: text)
            let session = try #require(record.kept).session
            let written = try #require(
                try WrittenGame(
                    Game.find("go"), record.settings, session.states, names: session.names ?? [], beside: record.beside).sgf)
            let again = try GameRecord(telling: written)
            #expect(again.beside.comments == record.beside.comments && again.actions == record.actions)
            #expect(again.beside.lines.map(\.actions) == record.beside.lines.map(\.actions))
            #expect(again.beside.told.merging(record.beside.told) { one, _ in one } == again.beside.told)
            for key in record.beside.told.keys where key != "RU" {
                #expect(again.beside.told[key] == record.beside.told[key], "\(key)")
            }
        }
    }

    /// The passes that Reversi forces, which many programs leave out, do not move comments from their places.
    @Test func commentsStayWithTheirMovesBehindAForcedPass() throws {
        let game = try Game.find("reversi")
        // The first legal moves lead to a position in which somebody has to pass, and beyond.
        var states = [try game.begin()]
        while !states.contains(where: isForcedPass) || states.suffix(2).contains(where: isForcedPass) {
            let last = states[states.count - 1]
            states.append(try last.apply(last.legalActions()[0]))
        }
        var beside = Beside()
        beside.comments = [states.count - 1: "here"]
        let whole = try #require(try WrittenGame(game, [:], states, beside: beside).sgf)
        for text in [whole, whole.replacing(";B[]", with: "").replacing(";W[]", with: "")] {
            let record = try GameRecord(telling: text)
            #expect(record.actions == states.compactMap(\.lastAction))
            #expect(record.beside.comments == beside.comments)
        }
        let moves = ";B[cd];W[dd];B[ab];W[bd];B[dc];W[db]"
        let record = try GameRecord(telling: "(;GM[2]SZ[4]\(moves)(;W[ac]C[after a pass];B[ad])(;W[aa]C[another]))")
        #expect(record.actions == [14, 15, 4, 13, 11, 7, 16, 8, 12])
        #expect(record.beside.comments == [8: "after a pass"])
        #expect(record.beside.lines.map { [$0.from] + $0.actions } == [[6, 16, 0]])
        #expect(record.beside.lines.first?.comments == [.init(2, "another")])
        let forbidden = try GameRecord(telling: "(;GM[2]SZ[4]\(moves)(;W[ac];B[ad])(;W[cd]))").beside
        #expect(forbidden.lines.isEmpty && forbidden.leftOut == 1)
    }
}
