import AzxBundle
import AzxEngine
import AzxNetwork

/// A network that finds all moves alike.
struct Even: Evaluator {
    func evaluate(_ state: any State) async throws -> Evaluation { Evaluation(value: 0, policy: nil, logits: false) }
}

// The game's board and the levels are in the package's tables, which a clone has to have.
let state = try Game.find("connect4").begin()
let search = Search(state, Even(), proves: true)
try await search.run(50)
let action = try await search.bestAction()
print("plays move \(try state.label(action)), one of \(state.legalActions().count), with AzxKit")
