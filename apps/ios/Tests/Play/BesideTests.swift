import AzxBundle
import AzxEngine
import AzxNetwork
import Support
import Testing

/// The policy is what the board's input reads, the value what the other one does.
private struct Echo: Network {
    let runtime = "an echo"

    func outputs(_: [Float]) throws -> [String: [Float]] { throw GameError("it has two inputs.") }

    func outputs(of inputs: [String: [Float]]) -> [String: [Float]] {
        ["policy_head": inputs["main_input"] ?? [], "value_head": inputs["turn"] ?? []]
    }
}

/// A network that reads in a second input who moves.
@Suite struct BesideTests {
    @Test func itIsPlayedAndEachInputIsGivenItsPartOfThePosition() async throws {
        let broken = try Broken()
        try broken.edit("\"inputs\": [", "\"inputs\": [{\"name\": \"turn\", \"shape\": [1]},")
        try broken.edit(
            "\"encoding\": {",
            "\"encoding\": {\"value\": \"player1\", \"beside\": {\"planes\": [\"turn_player0\"], \"first\": true},")
        try broken.edit(
            "\"outputs\": [",
            "\"outputs\": [{\"name\": \"value_head\", \"role\": \"value\", \"activation\": \"tanh\", \"shape\": [1]},")
        let bundle = try broken.open()
        let evaluator = NetworkEvaluator(Echo(), bundle)
        for actions in [[], [4]] {
            let state = try Fixtures.after("tictactoe", .object([:]), actions)
            let found = try await evaluator.evaluate(state)
            #expect(found.policy == (0..<9).map { actions.contains($0) ? -1 : 0 })
            // The value of the second player is +1 where the first moves: whoever is to move loses.
            #expect(found.value == -1)
        }
    }
}
