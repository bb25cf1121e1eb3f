import Support
import Testing

@testable import AzxEngine

/// A character for each action: 1 where it is legal.
private func legal(_ state: any State) -> String {
    let legal = Set(state.legalActions())
    return String((0..<state.actions).map { legal.contains($0) ? "1" : "0" })
}

/// The same, asking for each action why it is illegal.
private func withoutReason(_ state: any State) -> String {
    String((0..<state.actions).map { state.whyIllegal($0) == nil ? "1" : "0" })
}

/// Every golden file of every game that has some.
@Suite struct FixturesTests {
    @Test func everyGameThatIsPlayedHasFixturesAndTheOtherWayRound() {
        #expect(!Fixtures.names.isEmpty)
        #expect(Fixtures.names == Game.games.map(\.name).sorted())
    }

    @Test(arguments: Fixtures.names) func everyGameIsPlayedAsItWasWritten(game: String) throws {
        let games = try Fixtures.read("\(game)/playthrough").items("games")
        #expect(!games.isEmpty)
        for written in games { try playThrough(game, written) }
    }

    private func playThrough(_ game: String, _ written: Json) throws {
        var state = try Fixtures.after(game, written["settings"], [])
        for (ply, before) in try written.items("plies").enumerated() {
            let at: Comment = "\(written["about"]), ply \(ply)"
            #expect(try legal(state) == before.string("legal"), at)
            #expect(try withoutReason(state) == before.string("legal"), at)
            #expect(try Fixtures.draw(state) == before.string("board"), at)
            #expect(!state.isTerminal, at)
            state = try state.apply(before.int("action"))
            #expect(try state.lastAction == before.int("action"), at)
        }
        let end = written["end"]
        #expect(try Fixtures.draw(state) == end.string("board"))
        #expect(try state.isTerminal == end.flag("is_terminal"))
        #expect(try state.returns() == end.int("returns"))
    }

    @Test(arguments: Fixtures.names) func theTensorOfEveryStateIsDrawn(game: String) throws {
        let file = try Fixtures.read("\(game)/encoding")
        let encoding = try Encoding(file["encoding"])
        #expect(try encoding == Game.find(game).encoding)
        let states = try file.items("states")
        #expect(!states.isEmpty)
        for written in states {
            let state = try Fixtures.after(game, written["settings"], written.ints("actions"))
            let ofBoard = Encoding(layout: encoding.layout, board: state.board, planes: encoding.planes)
            #expect(try ofBoard.shape == written.ints("shape"))
            #expect(try encode(state, ofBoard) == written.floats("tensor"))
            #expect(try state.encode() == written.floats("tensor"))
        }
    }

    @Test(arguments: Fixtures.names) func whatOtherAuthorsNetworksReadIsDrawn(game: String) throws {
        let states = try Fixtures.read("\(game)/readings").items("states")
        #expect(!states.isEmpty)
        for written in states {
            let encoding = try Encoding(written["encoding"])
            let state = try Fixtures.after(game, written["settings"], written.ints("actions"))
            #expect(try encoding.shape == written.ints("shape"))
            let tensor = try encode(state, encoding)
            #expect(try tensor == written.floats("tensor"), "\(encoding)")
            let inputs = written["inputs"].isNull ? [written["tensor"]] : try written.items("inputs")
            #expect(encoding.split(tensor) == inputs.map { ($0.list ?? []).map { Float($0.whole ?? 9) } })
        }
    }

    @Test(arguments: Fixtures.names) func theFirstStateIsHashedToTheWorkedValues(game: String) throws {
        let worked = try Fixtures.read("\(game)/search")["first_state"]
        let hash = HashEvaluator.hash(of: try Fixtures.after(game, .null, []))
        #expect(try Int(hash) == worked.int("hash"))
        #expect(try HashEvaluator.value(of: hash) == worked.double("value"))
        let weights = worked["weights"].members ?? [:]
        #expect(weights.count == 3)
        for (action, weight) in weights { #expect(try HashEvaluator.weight(hash, #require(Int(action))) == weight.whole) }
    }

    @Test(arguments: Fixtures.names) func everySearchMakesTheVisitsThatAreWritten(game: String) async throws {
        let file = try Fixtures.read("\(game)/search")
        let cases = try file.items("cases")
        #expect(!cases.isEmpty)
        for written in cases { try await repeatSearch(game, written, constant: file.double("c")) }
    }

    private func repeatSearch(_ game: String, _ written: Json, constant: Double) async throws {
        let start = try Fixtures.after(game, written["settings"], written.ints("actions"))
        let search = Search(start, HashEvaluator(), constant: { _ in constant })
        for (move, expected) in try written.items("moves").enumerated() {
            let at: Comment = "after \(written["actions"]), move \(move)"
            #expect(try await search.run(written.int("simulations")) == written.int("simulations"), at)
            try await expectMove(search, expected, at)
        }
    }

    @Test(arguments: Fixtures.names) func whatTheRulesProveIsProvenAndSearchedOn(game: String) async throws {
        let file = try Fixtures.read("\(game)/proven")
        let cases = try file.items("cases")
        #expect(!cases.isEmpty)
        for written in cases { try await prove(game, written, constant: file.double("c")) }
    }

    private func prove(_ game: String, _ written: Json, constant: Double) async throws {
        let start = try Fixtures.after(game, written["settings"], written.ints("actions"))
        let search = Search(start, HashEvaluator(), constant: { _ in constant }, proves: true)
        for (move, expected) in try written.items("moves").enumerated() {
            let at: Comment = "after \(written["actions"]), move \(move)"
            let state = await search.state
            let forced = Forced(state)
            let isAll = forced.moves.count == state.legalActions().count
            let left: Json = isAll ? .null : .list(forced.moves.map { .number(Double($0)) })
            #expect(left == expected["left"], at)
            #expect(forced.result == expected["result"].whole, at)
            let answer = HashEvaluator().evaluate(state)
            let glance = forced.result == nil ? try answer.best(forced.moves) : forced.moves[0]
            #expect(try glance == expected.int("glance"), at)
            #expect(try await search.run(written.int("simulations")) == expected.int("simulations"), at)
            let visited = await search.visits().filter { $0.visits > 0 }
            let found = visited.map { (String($0.action), Json.number(Double($0.visits))) }
            #expect(Dictionary(uniqueKeysWithValues: found) == expected["visits"].members, at)
            #expect(await search.result == expected["proven"].whole, at)
            let best = try await search.bestAction()
            #expect(try best == expected.int("best"), at)
            try await search.play(best)
        }
    }

    @Test(arguments: Fixtures.names) func aNetworkThatAnswersAsTheFileSaysPrefersItsBestAction(game: String) throws {
        let file = try Fixtures.read("\(game)/parity")
        let (encoding, states) = (try Encoding(file["encoding"]), try file.items("states"))
        #expect(!states.isEmpty)
        for written in states {
            let state = try Fixtures.after(game, .null, written.ints("actions"))
            let outputs = try written.floats("policy")
            let numbering = try #require(try Game.find(game).numberings(state).first)
            let reading = Reading(game: try Game.find(game), encoding: encoding, numbering: numbering, settings: [:])
            #expect(outputs.count == numbering.width)
            let policy = reading.policy(outputs, state)
            let answer = Evaluation(value: 0, policy: policy, logits: true)
            #expect(try answer.best(state.legalActions()) == written.int("best"))
        }
    }

    @Test func everyValueIsReadAsItIsWritten() throws {
        let file = try Fixtures.read("values")
        let cases = try file.items("cases")
        #expect(!cases.isEmpty)
        for written in cases {
            let whose = try #require(Encoding.Whose(rawValue: written.string("whose")))
            let encoding = Encoding(layout: .flat, board: [3, 3], planes: ["signed"], value: whose)
            let state = try Fixtures.after("tictactoe", .null, written.int("to_move") == 1 ? [4] : [])
            let outputs = try written.floats("outputs")
            let reading = Reading(game: try Game.find("tictactoe"), encoding: encoding, numbering: nil, settings: [:])
            let value = reading.value(try ValueHead(written, size: outputs.count).read(outputs), state)
            #expect(try abs(value - written.double("value")) <= file.double("tolerance"), "\(written)")
        }
    }
}
