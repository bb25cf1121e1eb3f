import AzxDrawing
import Support
import Testing

@testable import AzxBundle
@testable import AzxEngine
@testable import AzxPlay
@testable import AzxScreens

/// Where the graph of chances draws what: points, mistakes, and the position that is shown.
@MainActor @Suite struct ChanceGraphTests {
    /// A session, and the panel of a position of which nothing else is known.
    private let unknown = Panel(PanelFacts(side: 0, mover: 0))

    private func session(_ rates: [Int: Double], moves actions: [Int], ply: Int? = nil) throws -> Session {
        let start = try Game.find("tictactoe").begin()
        let states = try #require(replay(start, actions))
        let session = Session(states: states, human: 0, rates: rates, ending: nil)
        return ply.map { session.show($0) } ?? session
    }

    @Test func movesGoFromLeftToRightAndASureWinIsAbove() throws {
        let graph = ChanceGraph(try session([0: 0.5, 2: 1, 4: 0], moves: [4, 0, 8, 2], ply: 2), unknown, width: 200, height: 90)
        #expect(graph.points == [AzxDrawing.Point(0, 45), AzxDrawing.Point(100, 0), AzxDrawing.Point(200, 90)])
        #expect(graph.now == 100 && graph.marks.isEmpty)
    }

    @Test func beforeTheFirstMoveAllIsAtTheEdge() throws {
        let graph = ChanceGraph(try session([:], moves: []), unknown, width: 200, height: 90)
        #expect(graph.points.isEmpty && graph.now == 0)
        #expect(ChanceGraph(try session([0: 0.25], moves: []), unknown, width: 200, height: 100).points == [AzxDrawing.Point(0, 75)])
    }

    @Test func thePositionThatIsShownHasItsOwnFigure() throws {
        var facts = PanelFacts(side: 0, mover: 0)
        facts.search = PanelFacts.Searched(chance: 0.75)
        let session = try session([0: 0.5, 2: 0.5], moves: [4, 0], ply: 2)
        #expect(session.graph(Panel(facts)).map(\.share) == [0.5, 0.75])
        facts.search = nil
        facts.earlier = 0.1
        #expect(session.graph(Panel(facts)).map(\.share) == [0.5, 0.5], "an earlier figure is no news")
    }

    @Test func aCountedEndHasLeadsAndNoChancesUnlessMostPositionsHaveThem() throws {
        // Eight of the nine boxes are still open at move 12, where the end is solved.
        let actions = [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19]
        let states = try #require(replay(try Game.find("dots_and_boxes").begin(), actions, whole: false))
        var session = Session(states: states, human: 0, rates: [0: 0.5], ending: nil)
        let (last, known) = (states[12], Known(states[12]))
        session.seen[12] = Seen(mover: last.toMove, chance: 0.5, best: nil, isSure: true, known: known)
        let margin = try #require(known.margin) * (last.toMove == 0 ? 1 : -1)
        let graph = session.graph(Panel(session.facts()))
        #expect(graph.map(\.moves) == [12] && graph.map(\.unit) == [.boxes])
        #expect(graph[0].share == 0.5 + Double(margin) / 18)
        session.rates[4] = 0.9
        #expect(session.graph(Panel(session.facts())).map(\.unit) == [.chance, .chance])
    }

    @Test func aBlunderIsTheLargerMarkAndLiesOnTheLine() throws {
        // The second player leaves a win open, and the first one does not take it.
        let actions = [0, 3, 1, 4, 8]
        var session = try session([5: 0.2], moves: actions)
        for (at, state) in session.states.enumerated() {
            let known = Known(state)
            session.seen[at] = Seen(
                mover: state.toMove, chance: known.chance ?? 0.5, best: known.left.first, isSure: true, known: known)
        }
        let graph = ChanceGraph(session, unknown, width: 100, height: 90)
        let shares = Dictionary(uniqueKeysWithValues: session.graph(unknown).map { ($0.moves, $0.share) })
        let marks = session.marks
        #expect(!marks.isEmpty && graph.marks.count == marks.count)
        for (drawn, mark) in zip(graph.marks, marks) {
            #expect(drawn.centre == AzxDrawing.Point(100 * Double(mark.moves) / 5, 90 * (1 - (shares[mark.moves] ?? 0.5))))
            #expect(drawn.radius == (mark.isBlunder ? 5 : 4) && drawn.isBlunder == mark.isBlunder)
        }
        #expect(graph.marks.last?.centre == AzxDrawing.Point(100, 90), "on the line, which has what is proven")
    }
}
