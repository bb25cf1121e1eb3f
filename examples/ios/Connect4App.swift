// Connect4 against the network of a bundle: a board, the rules, and a search that asks the network.

import AzxBundle
import AzxCoreML
import AzxEngine
import AzxNetwork
import SwiftUI

private let simulations = 200
private let rows = 6
private let columns = 7

@main
struct Connect4App: App {
    var body: some Scene {
        WindowGroup {
            GameView()
        }
    }
}

/// A game and the network that plays in it, as the view shows them.
@MainActor
@Observable
final class Game {
    /// The position on the board, nil until the network is there. Nothing changes it: `apply` makes the next one.
    private(set) var state: (any AzxEngine.State)?
    private(set) var status = "Loading the network"
    private var bundle: GameBundle?
    private var network: NetworkEvaluator?
    /// Which game is on the board: an answer to an earlier one is not wanted any more.
    private var number = 0

    /// Read the bundle that `azx install` has put among the resources. Each file is checked by its SHA-256.
    func open() async {
        do {
            let store = Store(Bundle.main.bundleURL.appending(path: Store.folder))
            guard let entry = try readIndex(store).first(where: { $0.name == "connect4" }) else {
                status = "No bundle is installed"
                return
            }
            let opened = try GameBundle(entry, store)
            network = NetworkEvaluator(try await CoreMLEvaluator(opened, .cpu, words: "CPU"), opened)
            bundle = opened
            begin()
        } catch {
            status = "\(error)"
        }
    }

    func begin() {
        guard let bundle else { return }
        number += 1
        do { try show(bundle.reading.start()) } catch { status = "\(error)" }
    }

    /// A person's disc falls in a column, and the network answers.
    func play(_ column: Int) async {
        guard let before = state, before.toMove == 0, let bundle, let network else { return }
        guard let action = before.legalActions().first(where: { $0 % columns == column }) else { return }
        let asking = number
        do {
            let asked = try before.apply(action)
            show(asked)
            if asked.isTerminal { return }
            let search = Search(asked, network, proves: true, settings: bundle.search)
            try await search.run(simulations)
            let answer = try await asked.apply(search.bestAction())
            if asking == number { show(answer) }
        } catch {
            status = "\(error)"
        }
    }

    private func show(_ next: any AzxEngine.State) {
        state = next
        let result = next.returns()
        if next.isTerminal {
            status = result == 0 ? "A draw" : result > 0 ? "You have won" : "The network has won"
        } else {
            status = next.toMove == 0 ? "Your turn: choose a column" : "The network is thinking"
        }
    }

    /// Whose disc a cell holds: 0 red, 1 yellow, nil nobody's. Row 0 is on top.
    func owner(_ row: Int, _ column: Int) -> Int? {
        for player in 0...1 {
            if let plane = try? state?.plane("player\(player)"), plane[row * columns + column] != 0 { return player }
        }
        return nil
    }
}

struct GameView: View {
    @SwiftUI.State private var game = Game()

    var body: some View {
        VStack(spacing: 16) {
            Text(game.status)
            HStack(spacing: 4) {
                ForEach(0..<columns, id: \.self) { column in
                    ColumnView(game: game, column: column)
                }
            }
            Button("New game") { game.begin() }
        }
        .padding()
        .task { await game.open() }
    }
}

/// Six cells, one below the other, as one button.
private struct ColumnView: View {
    let game: Game
    let column: Int

    var body: some View {
        Button {
            Task { await game.play(column) }
        } label: {
            VStack(spacing: 4) {
                ForEach(0..<rows, id: \.self) { row in
                    Circle()
                        .foregroundStyle(colour(game.owner(row, column)))
                        .aspectRatio(1, contentMode: .fit)
                }
            }
        }
        .accessibilityLabel("Column \(column + 1)")
    }

    private func colour(_ owner: Int?) -> Color {
        switch owner {
        case 0: .red
        case 1: .yellow
        default: .gray
        }
    }
}
