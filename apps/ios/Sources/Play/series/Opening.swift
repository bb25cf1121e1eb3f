/// The openings of a series: their moves are drawn by chance from what the networks would play. Without them two sides
/// that always play what they think best would play the same game again and again.

import AzxEngine

/// As a level that plays by its policy alone: every move in proportion to the root of its probability.
private let draw = Level(simulations: 0, threshold: 0, temperature: 2)

// How often an opening is drawn again that there was already; tic-tac-toe has 72 of two moves.
private let tries = 20

/// Asks the network of the player to move for the probability of each legal action.
typealias AskPolicy = @MainActor (Session) async throws -> [Int: Double]

/// An opening of `moves` moves, not among the `known` ones if possible; its actions are added to them.
@MainActor
func drawOpening(
    _ start: any State, _ moves: Int, _ ask: AskPolicy, known: inout Set<[Int]>,
    random: () -> UInt64 = { .random(in: 0...UInt64.max) }
) async throws -> Session {
    var session = Session(start, human: nobody)
    for _ in 0..<tries {
        session = try await drawOnce(start, moves, ask, seed: random())
        if known.insert(session.actions).inserted { break }
    }
    return session
}

/// A game of `moves` moves, drawn by `seed`: none of them passes by choice, and none ends the game.
@MainActor
private func drawOnce(_ start: any State, _ moves: Int, _ ask: AskPolicy, seed: UInt64) async throws -> Session {
    var session = Session(start, human: nobody)
    for at in 0..<moves {
        let state = session.latest
        let weights = try await ask(session).sorted { $0.key < $1.key }
            .filter { try state.label($0.key) != "pass" }.map { (action: $0.key, weight: $0.value) }
        if weights.isEmpty { break }
        let next = try session.play(try Levels.chooseAction(weights, draw, seed: seed, ply: at))
        if next.latest.isTerminal { break }
        session = next
    }
    return session
}
