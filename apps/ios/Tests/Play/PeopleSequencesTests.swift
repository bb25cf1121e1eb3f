import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxPlay

/// Deeds of two people, and positions that they set up, as people.json has them: the same end in every language.
@MainActor @Suite(.timeLimit(.minutes(10))) struct PeopleSequencesTests {
    private let people = TwoPeople()
    private let written: Json

    init() throws { written = try Fixtures.read("people") }

    private func perform(_ deed: [Json], at table: SharedTable) throws {
        switch deed[0].text {
        case "play": table.play(try #require(deed[1].whole))
        case "undo": table.undo()
        case "agree": table.answer(true)
        case "refuse": table.answer(false)
        case "resign": table.resign()
        case "play_on": table.playOn()
        case "settle":
            for at in try #require(deed[1].wholes) where table.counted?.dead.contains(at) == false { table.play(at) }
            table.settle()
        default: Issue.record("no such deed: \(deed)")
        }
    }

    /// Whether a table stands as the fixture says.
    private func compare(_ table: SharedTable, _ end: Json, _ about: Comment) throws {
        let session = table.session
        #expect(try session.actions == end.ints("actions"), about)
        #expect(try Fixtures.draw(session.latest) == end.string("board"), about)
        #expect(try session.latest.toMove == end.int("to_move"), about)
        let phase: String = switch session.phase { case .over: "over"; case .scoring: "scoring"; default: "yours" }
        #expect(try phase == end.string("phase"), about)
        #expect(table.shared.asker == end["asker"].whole, about)
        if session.phase == .over { #expect(session.winner == end["winner"].whole, about) }
    }

    @Test func everySequenceEndsAsWrittenThoughTheProcessDies() async throws {
        let sequences = try written.items("sequences")
        #expect(sequences.count == 60)
        var deaths = 0
        for each in sequences {
            let seed = try each.int("seed")
            var library = people.folder.library()
            await library.open()
            let agreed = Agreed(isUndoAsked: try each.flag("is_undo_asked"))
            var table = try people.sit(try each.string("game"), library, agreed, each["settings"].members ?? [:])
            for (at, deed) in try each.items("deeds").enumerated() {
                try perform(try #require(deed.list), at: table)
                // The process dies after some of them, by the seed; nothing was said before.
                guard (seed + at) % 4 == 0, library[table.id] != nil else { continue }
                (table, library) = try await people.again(table, library)
                deaths += 1
            }
            try compare(table, each["end"], "seed \(seed)")
            (table, library) = try await people.again(table, library)
            try compare(table, each["end"], "seed \(seed), in the next process")
        }
        #expect(deaths > 60)
    }

    /// The position of a case after the process has died, with `mover` to move.
    private func setUp(_ each: Json, mover: Int) throws -> SetUp {
        let game = try Game.find(try each.string("game"))
        var setUp = try SetUp(game, each["settings"].members ?? [:])
        let pieces = try each.items("pieces").map { try #require($0.wholes) }
        // Of a column of Connect4 the lowest disc comes first.
        for piece in pieces.reversed() { try setUp.put(piece[0], piece[1]) }
        setUp.letMove(mover)
        return try #require(SetUp(try SetUp(game, each["settings"].members ?? [:]), left: setUp.text))
    }

    @Test func everyPositionIsSetUpOrRefusedAsWritten() throws {
        let positions = try written.items("positions")
        #expect(positions.count > 50)
        for each in positions {
            let about: Comment = "seed \(try each.int("seed"))"
            let mover = try each.int("to_move")
            let last = try #require(try setUp(each, mover: mover).states().last, about)
            #expect(try Fixtures.draw(last) == each.string("board") && last.toMove == mover, about)
            let other = try setUp(each, mover: each["other"].int("to_move"))
            if each["other"]["refused"].isNull {
                #expect(try other.states().last?.toMove == 1 - mover, about)
            } else {
                #expect(throws: Impossible.turn, about) { try other.states() }
            }
        }
    }
}
