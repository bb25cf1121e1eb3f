import AzxBundle
import Support
import Testing

@testable import AzxEngine
@testable import AzxPlay
@testable import AzxScreens

/// "Is this how it sees the board?": asked on the card of a network of which that is not known.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ReadingChoiceTests {
    private let notebook = Notebook()
    private let folder = GamesFolder()
    private let broken: Broken
    private let listed: Listed

    init() throws {
        broken = try Broken()
        try broken.edit("\"checkpoint\": {", "\(choosable) \"checkpoint\": {")
        listed = try Listed(broken.folder)
    }

    private func read(_ library: Library? = nil) async throws -> (games: Games, card: Games.Card) {
        let games = Games()
        await games.read(listed.store, keeping: notebook, in: library)
        return (games, try #require(games.cards.first))
    }

    private func open(_ place: Place, in library: Library) async throws -> Room {
        guard case .newGame(let installed) = place else { throw GameError("it leads to no new game.") }
        let room = Room(keeping: notebook, in: library, isNew: true)
        room.enter()
        await room.open(Installed(installed.entry, broken.store), on: .cpu) { bundle, _ in Hashed(bundle) }
        return room
    }

    @Test func eachReadingThatFitsIsOfferedInWords() async throws {
        let card = try await read().card
        #expect(card.readings.map { Catalog.english.say($0.reading) } == [
            "+1 the player to move, −1 the opponent; top row first",
            "+1 the opponent, −1 the player to move; top row first",
            "1 the player who began, 2 the player who came second; bottom row first",
        ])
        #expect(card.readings.map { Catalog.english.say($0.about) } == ["the usual way", "tictactoe-signed-opponent", "tictactoe-bottom-first"])
        #expect(card.readings.map(\.isChosen) == [true, false, false])
        #expect(Catalog.chinese.say(card.readings[2].reading) == "先手为 1，后手为 2；底行在前")
    }

    @Test func whereItIsKnownNothingIsAsked() async throws {
        let known = try Listed(Fixtures.bundles.appending(path: "tictactoe"))
        let games = Games()
        await games.read(known.store, keeping: notebook)
        #expect(games.cards.map(\.doubt) == [nil] && games.cards[0].readings.isEmpty)
    }

    @Test func aChoiceBeginsANewGameIsSaidOnTheCardAndKeptWithTheBundle() async throws {
        Memory(notebook, bundle: "tictactoe").choices = Choices(strength: .policy, begins: .you)
        notebook.keep("azx game 1\nhuman 0\nsettings\nactions 4 0\nrates", "tictactoe game")
        let library = folder.library()
        let (games, card) = try await read(library)
        #expect(card.isUnderWay)
        let place = games.choose("tictactoe-signed-opponent", for: card, keeping: notebook)
        let room = try await open(place, in: library)
        #expect(room.table?.session.moves == 0 && library.list.count == 1, "what was under way is in the library")
        #expect(try room.bundle?.reading.encoding.planes == ["signed_opponent"])
        let (later, told) = try await read(library)
        let said = "How this network sees the board is not known; you chose: +1 the opponent, −1 the player to move; top row first."
        #expect(told.doubt.map { Catalog.english.say($0) } == said)
        #expect(told.readings.map(\.isChosen) == [false, true, false])
        _ = later.choose(nil, for: told, keeping: notebook)
        #expect(try await read(library).card.readings.map(\.isChosen) == [true, false, false])
    }

    @Test func aBundleThatIsRemovedTakesTheChoiceAlong() {
        let memory = Memory(notebook, bundle: "tictactoe")
        memory.reading = "tictactoe-signed-opponent"
        #expect(Memory(notebook, bundle: "tictactoe").reading == "tictactoe-signed-opponent")
        memory.forget()
        #expect(memory.reading == nil)
    }

    @Test func planesAreSaidAndOneWithoutWordsHasItsOwnName() {
        func said(_ planes: [String], _ change: (inout Encoding) -> Void = { _ in }) -> String {
            var encoding = Encoding(layout: .cells, board: [3, 3], planes: planes)
            change(&encoding)
            return Catalog.english.say(describe(encoding, saysRows: false))
        }
        #expect(said(["mover", "opponent@2", "legal"]) == "planes of the player to move, the opponent 2 moves ago, legal; the numbers of each cell together")
        #expect(said(["signed_player1"]) { $0.transpose = true; $0.layout = .flat } == "+1 the player who came second, −1 the player who began; columns as rows")
        #expect(said(["codes_nobody"]) { $0.layout = .flat } == "codes_nobody")
        let turns = ["player0_to_move", "player1_to_move", "turn_player0", "turn_player1", "ones", "zeros", "empty", "last"]
        let beside = said(["signed"]) { $0.beside = Encoding.Beside(planes: turns); $0.layout = .flat }
        #expect(beside.hasPrefix("+1 the player to move, −1 the opponent; beside the board: ones if the player who began is to move, "))
        #expect(!beside.contains("no text"))
    }
}
