import AzxBundle
import AzxEngine
import AzxNetwork
import AzxPlay
import AzxSelfTest
import Foundation
import OnnxRuntime
import Support
import Testing

/// One position: the network's input, and what the reference answers, by the outputs' names.
private struct Answered {
    let input: [Float]
    let outputs: [String: [Float]]
}

/// The real networks in a real runtime, against the reference's outputs. This proves the engine, its encodings and the
/// reading of bundles with the shipped weights; what Core ML makes of them only an Apple device can tell.
@Suite struct ParityTests {
    @Test(arguments: Fixtures.names) func everyReferenceNetworkAnswersAsGoldenJsonSays(game: String) throws {
        try hold(Fixtures.bundles.appending(path: game), "golden.json", goldenAnswers)
    }

    @Test(arguments: Fixtures.names) func everyReferenceNetworkAnswersAsTheFixturesSayPlayedAndEncodedHere(
        game: String
    ) throws {
        try hold(Fixtures.bundles.appending(path: game), "the fixture") { bundle in
            let fixture = try Fixtures.read("\(game)/parity")
            #expect(try fixture.string("checkpoint_sha256") == bundle.manifest.checkpoint.sha256)
            return try fixture.items("states").map { try answer(of: $0, bundle) }
        }
    }

    @Test(arguments: Fixtures.bundles(in: Fixtures.others))
    func everyOtherExportedNetworkAnswersAsGoldenJsonSays(folder: URL) throws {
        try hold(folder, "golden.json", goldenAnswers)
    }

    private func goldenAnswers(_ bundle: GameBundle) throws -> [Answered] {
        try bundle.golden().map { golden in
            Answered(input: try #require(golden.inputs[bundle.manifest.input.name]), outputs: golden.outputs)
        }
    }

    private func answer(of recorded: Json, _ bundle: GameBundle) throws -> Answered {
        let state = try recorded.ints("actions").reduce(try bundle.reading.start()) { try $0.apply($1) }
        var outputs: [String: [Float]] = [:]
        for output in bundle.manifest.outputs {
            outputs[output.name] =
                output.role == .value ? [Float(try recorded.double("value"))] : try recorded.floats("policy")
        }
        return Answered(input: try bundle.reading.tensor(state), outputs: outputs)
    }

    /// Hold every output to the limit that the export's proof held it to, and print how near it comes.
    private func hold(_ folder: URL, _ what: String, _ positions: (GameBundle) throws -> [Answered]) throws {
        let bundle = try Fixtures.bundle(folder)
        let network = try OnnxNetwork(bundle)
        let limits = try limits(of: folder)
        let answered = try positions(bundle)
        #expect(!answered.isEmpty)
        var largest: [String: Double] = [:]
        for position in answered {
            let found = try network.outputs(position.input)
            #expect(found.keys == position.outputs.keys)
            for (name, expected) in position.outputs {
                largest[name] = max(largest[name] ?? 0, Fixtures.error(found[name] ?? [], expected))
            }
        }
        for (name, error) in largest.sorted(by: { $0.key < $1.key }) {
            let limit = try #require(limits[name])
            let figures = String(format: "%.2e of %.2e", error, limit)
            let compared = "\(folder.lastPathComponent), \(what), \(answered.count) positions"
            print("parity: \(compared), \(name): \(figures), \(network.runtime)")
            #expect(error <= limit, "\(name): \(figures)")
        }
    }

    /// The limits that the bundle's own proof held fp32 to, which are max(1e-5, 4 x the reference's own distance).
    private func limits(of folder: URL) throws -> [String: Double] {
        let limits = try Fixtures.limits(of: folder, format: "onnx")
        let proof = try Fixtures.json(folder.appending(path: "parity.json"))
        let artifact = try #require(try proof.items("artifacts").first { $0["format"].text == "onnx" })
        for head in try artifact.items("heads") {
            let limit = max(1e-5, 4 * (try head.double("reference_distance")))
            let held = try #require(try limits[head.string("head")])
            #expect(abs(limit - held) < 1e-12, "the proof was held to another limit")
        }
        return limits
    }
}

/// Nothing is remembered.
private final class Nothing: Keeping {
    func text(_: String) -> String? { nil }
    func keep(_: String, _: String) {}
    func forget(_: String) {}
}

/// Search, self-test and table with the real networks.
@Suite struct NetworkSearchTests {
    @Test(arguments: Fixtures.names) func aGameIsPlayedToItsEnd(game: String) async throws {
        let bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: game))
        let evaluator = NetworkEvaluator(try OnnxNetwork(bundle), bundle)
        #expect(evaluator.hasValue == (game != "tictactoe"))
        // Small boards are played to the end, of the large ones a part.
        let search = Search(try bundle.reading.start(), evaluator)
        var played = 0
        while await !search.state.isTerminal, played < 24 {
            try await search.run(8)
            try await search.play(search.bestAction())
            played += 1
        }
        let state = await search.state
        #expect(state.isTerminal || played == 24)
        if game == "tictactoe" { #expect(state.returns() == 0, "two that play well draw") }
    }

    /// The table that an app shows: its best move in all positions, within the app's own tolerance.
    @Test(arguments: Fixtures.names) func theSelfTestPasses(game: String) async throws {
        let bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: game))
        let network = try OnnxNetwork(bundle)
        let tested = try #require(try await selfTest(bundle, network, device: "this machine", seconds: 0.2))
        print(tested.text)
        #expect(tested.passed)
        #expect(tested.found.withBest == 20)
    }

    /// The command that a Mac runs with Core ML: its table, with another runtime in Core ML's place.
    @Test(arguments: Fixtures.names) func theCommandProvesTheNetwork(game: String) async {
        let command = SelfTestCommand(
            device: "this machine", units: [.cpu], say: { print($0) }, complain: { Issue.record("\($0)") },
            load: { bundle, _ in try OnnxNetwork(bundle) })
        let folder = Fixtures.bundles.appending(path: game).path
        #expect(await command.run(["--seconds", "0.2", folder]).rawValue == 0)
    }

    /// A whole game at a table, by what a person may do.
    @Test(arguments: Fixtures.names) @MainActor func aPersonPlaysAWholeGame(game: String) async throws {
        let bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: game))
        let evaluator = NetworkEvaluator(try OnnxNetwork(bundle), bundle)
        let memory = Memory(Nothing(), bundle: game)
        let reading = try bundle.reading
        let thinker = Thinker(reading, evaluator, hasValue: evaluator.hasValue)
        let table = try Table(Opened(reading, thinker, memory), chance: { 0 })
        var choices = table.choices
        choices.strength = .policy
        choices.begins = .you
        table.choose(choices)
        table.restart()
        var before = -1
        while table.session.phase != .over, table.session.moves > before, table.failure == nil {
            if table.isScoring {
                table.agree()
                break
            }
            before = table.session.moves
            let legal = table.session.latest.legalActions()
            // Go is ended by passing, once it has been played for a while.
            if before > 40, passOf(table.session.latest) != nil {
                table.pass()
            } else {
                table.play(legal[before * 7 % legal.count])
            }
            while table.isThinking || (table.isScoring && table.counted == nil) {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        #expect(table.failure == nil)
        #expect(table.session.latest.isTerminal)
        // Where the network has a value, it has told a chance for each of its moves; else the rules tell what they
        // prove.
        let rates = table.session.rates.values
        let isProven = rates.allSatisfy { [0, 0.5, 1].contains($0) }
        #expect(game == "tictactoe" ? isProven : !rates.isEmpty)
    }

    /// On this board 1, 2, 6 and 7 draw, of which 6 leaves two losing replies.
    @Test func ticTacToesNetworkAnswersTheKnownBoard() async throws {
        let bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: "tictactoe"))
        let evaluator = NetworkEvaluator(try OnnxNetwork(bundle), bundle)
        // The mover +1 has 3 and 8, the opponent 0, 4 and 5.
        let state = try bundle.reading.start().apply(0).apply(3).apply(4).apply(8).apply(5)
        #expect(state.encode() == [-1, 0, 0, 1, -1, -1, 0, 0, 1])
        #expect(try await evaluator.evaluate(state).best(state.legalActions()) == 6)
        #expect(try await evaluator.evaluate(state).value == 0, "it has no value")
    }

    @Test func aNetworkWhoseOutputsAreNotItsManifestsIsRefusedInWords() async throws {
        struct Odd: Network {
            let runtime = "none"
            let answer: [String: [Float]]
            func outputs(_: [Float]) -> [String: [Float]] { answer }
        }
        let bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: "tictactoe"))
        let name = try #require(bundle.manifest.output(.policy)).name
        let state = try bundle.reading.start()
        let faults: [([String: [Float]], String)] = [
            (["z": [0]], "its network has no '\(name)' but z: export the bundle again."),
            ([name: [0]], "'\(name)' of its network has 1 numbers, its manifest says 9: export the bundle again."),
            (
                [name: [Float](repeating: .nan, count: 9)],
                "its network answers with what is no number: export the bundle again."
            ),
        ]
        for (answer, words) in faults {
            let evaluator = NetworkEvaluator(Odd(answer: answer), bundle)
            do {
                _ = try await evaluator.evaluate(state)
                Issue.record("\(answer) was not refused")
            } catch let error as BundleError {
                #expect(error.sentence == "Bundle 'tictactoe': \(words)")
            }
        }
    }
}
