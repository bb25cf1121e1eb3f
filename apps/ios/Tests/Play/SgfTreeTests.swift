import AzxEngine
import Support
import Testing

@testable import AzxPlay

/// SGF with comments, variations and stones that were set up: drawn records, read, written, and read again.
@Suite struct SgfTreeTests {
    @Test func aDrawnRecordSaysTheSameOnceItIsSavedAndOpenedAgain() throws {
        var (lines, comments, nested, placed) = (0, 0, 0, [String: Int]())
        for seed in 0..<100 {
            var drawing = Drawing(seed: UInt64(seed))
            let drawn = try drawing.record()
            let about = Comment(rawValue: drawn.text)
            let found = try GameRecord(telling: drawn.text)
            let session = try #require(found.kept).session
            #expect(session.states[found.setUp].legalActions() == drawn.first.legalActions(), about)
            #expect(session.states[found.setUp].toMove == drawn.first.toMove, about)
            let saved = try #require(try sgf(of: found))
            let again = try GameRecord(telling: saved)
            #expect(again.actions == found.actions && again.setUp == found.setUp, about)
            #expect(again.beside.lines == found.beside.lines && again.beside.comments == found.beside.comments, about)
            #expect(again.beside.leftOut == 0 && found.beside.leftOut == 0, about)
            #expect(again.beside.told.merging(found.beside.told) { one, _ in one } == again.beside.told, about)
            #expect(try sgf(of: again) == saved, about)
            let kept = try #require((try? Json(parsing: found.json.bytes)).flatMap { GameRecord($0) }?.kept)
            #expect(kept.identity.beside == found.beside && kept.session.setUp == found.setUp, about)
            lines += found.beside.lines.count
            comments += found.beside.comments.count
            nested += found.beside.lines.count { one in found.beside.lines.contains { isWithin(one, $0) } }
            if found.setUp > 0 { placed[found.game, default: 0] += 1 }
        }
        #expect(lines > 200 && nested > 50 && comments > 200)
        #expect(placed["go"] ?? 0 > 10 && placed["gomoku"] ?? 0 > 5 && placed["hex"] ?? 0 > 5 && placed["reversi"] == nil)
    }

    private func sgf(of record: GameRecord) throws -> String? {
        let session = try #require(record.kept).session
        return try WrittenGame(
            Game.find(record.game), record.settings, session.states, names: session.names ?? [], beside: record.beside,
            setUp: record.setUp
        ).sgf
    }

    /// Whether a line is a variation within another one: they begin with the same move.
    private func isWithin(_ one: Variation, _ other: Variation) -> Bool {
        one != other && one.from == other.from && one.actions.first == other.actions.first
    }
}

/// A record that a seed fixes, with variations within variations.
private struct Drawing {
    let seed: UInt64
    private var count = 0

    init(seed: UInt64) { self.seed = seed }

    private mutating func draw(below end: Int) -> Int {
        count += 1
        return Int(Levels.splitmix64(seed, count) % UInt64(end))
    }

    private static let games = [("go", "1", 9), ("gomoku", "4", 15), ("reversi", "2", 8), ("hex", "11", 7)]
    private static let words = ["good", "too slow [a\\]", "why\\\\not", "a: b", "two\nlines", "白の手", "I'd play (x)"]

    /// Its text, and the position before its first move.
    mutating func record() throws -> (text: String, first: any State) {
        let (name, number, size) = Self.games[Int(seed) % Self.games.count]
        let start = try Game.find(name).begin(["size": .number(Double(size))])
        let (standing, first) = draw(below: 2) == 0 ? ("", start) : try stones(name, start)
        let told = ["GN[The game]", "EV[A cup, round 2\\]]", "PB[First]PW[Second]BR[2d]", "GC[About\nit]"]
        let some = told.prefix(draw(below: told.count + 1)).joined()
        let rule = name == "go" ? "KM[0.5]" : ""
        let moves = try line(first, 12 + draw(below: 20), 0)
        return ("(;FF[4]GM[\(number)]SZ[\(size)]\(rule)\(some)\(standing)RE[B+R]\(moves))", first)
    }

    /// Stones that stand there, as a root has them, and the position: in Go a handicap, or those of a few moves.
    private mutating func stones(_ name: String, _ start: any State) throws -> (String, any State) {
        var (state, sides) = (start, [[String](), [String]()])
        let isHandicap = name == "go" && draw(below: 2) == 0
        let count = name == "reversi" ? 0 : 1 + draw(below: isHandicap ? 5 : 7)
        while sides.joined().count < count {
            let action = state.legalActions()[draw(below: 40)]
            sides[state.toMove].append(try point(action, state))
            state = try state.apply(action)
            if isHandicap, sides[0].count < count { state = try state.apply(81) }
        }
        if name == "go", !isHandicap, draw(below: 2) == 0 { state = try state.apply(81) }
        // Reversi's own discs may be told, and are no stones.
        if name == "reversi" { sides = [["ed", "de"], ["dd", "ee"]] }
        let told = zip(["AB", "AW"], sides).filter { !$1.isEmpty }.map { key, points in
            key + points.map { "[\($0)]" }.joined()
        }
        let handicap = isHandicap && count > 1 ? "HA[\(count)]" : ""
        return ("\(handicap)\(told.joined())PL[\(state.toMove == 0 ? "B" : "W")]", state)
    }

    private mutating func line(_ from: any State, _ moves: Int, _ depth: Int) throws -> String {
        var (text, state) = ("", from)
        for move in 0..<moves where !state.isTerminal {
            var legal = state.legalActions()
            let chosen = legal.remove(at: draw(below: legal.count))
            let hasOthers = depth < 3 && draw(below: 4) == 0
            let others = hasOthers ? legal.prefix(1 + draw(below: 2)) : []
            let next = try state.apply(chosen)
            if others.isEmpty {
                text += try node(state, chosen)
                state = next
                continue
            }
            text += "(\(try node(state, chosen))\(try line(next, moves - move - 1, depth)))"
            for other in others {
                text += "(\(try node(state, other))\(try line(try state.apply(other), 1 + draw(below: 5), depth + 1)))"
            }
            return text
        }
        return text
    }

    private mutating func node(_ state: any State, _ action: Int) throws -> String {
        let said = draw(below: 4) == 0 ? "C[\(Self.words[draw(below: Self.words.count)])]" : ""
        return ";\(state.toMove == 0 ? "B" : "W")[\(try point(action, state))]\(said)"
    }

    private func point(_ action: Int, _ state: any State) throws -> String {
        let size = state.board[1]
        if action == size * size { return "" }
        let letters = [action % size, action / size].map { UInt8(ascii: "a") + UInt8($0) }
        return String(decoding: letters, as: UTF8.self)
    }
}
