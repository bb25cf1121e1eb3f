import Support
import Testing

@testable import AzxEngine

/// What the golden files do not say of Reversi.
@Suite struct ReversiTests {
    private func play(_ size: Int, _ actions: Int...) throws -> Reversi {
        try actions.reduce(Reversi(size: size)) { try $0.apply($1) }
    }

    @Test func aDiscTurnsOverWhatLiesBetweenItAndAnotherOne() async throws {
        let state = try play(8, 19)
        #expect(state.scores == [4, 1])
        #expect(try state.legalActions().map(state.label) == ["C3", "E3", "C5"])
        #expect(state.whyIllegal(19) == Refusal(.occupied))
        #expect(state.whyIllegal(0) == Refusal(.turnsNothing))
        #expect(state.whyIllegal(64) == Refusal(.noPass))
        await expectRefused("reversi: action 0 is illegal here, choose action 18, 20, 34.") { try state.apply(0) }
    }

    @Test func whoCanTurnNothingPassesAndDiscsAreCountedAtTheEnd() throws {
        let stuck = try play(4, 11, 15, 1, 8, 12, 2, 4, 7, 3, 13, 14)
        #expect(stuck.mustPass && stuck.legalActions() == [16])
        #expect(stuck.whyIllegal(0) == Refusal(.mustPass))
        let over = try stuck.apply(16).apply(0)
        #expect(over.isTerminal && over.scores == [13, 3] && over.score() == 10 && over.returns() == 1)
    }

    @Test func asManyPositionsAreReachedAsOthersCount() throws {
        func count(_ state: Reversi, _ plies: Int) throws -> Int {
            try plies == 0 ? 1 : state.legalActions().reduce(0) { try $0 + count(state.apply($1), plies - 1) }
        }
        #expect(try (1...5).map { try count(Reversi(), $0) } == [4, 12, 56, 244, 1396])
    }

    @Test func otherSizesAreNotPlayed() async {
        await expectRefused("reversi: size 7 is not played, choose one of 4, 6, 8, 10.") { try Reversi(size: 7) }
    }
}
