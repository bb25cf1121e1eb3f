import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxPlay

private final class Notes: Keeping {
    private var texts: [String: String] = [:]
    func text(_ name: String) -> String? { texts[name] }
    func keep(_ text: String, _ name: String) { texts[name] = text }
    func forget(_ name: String) { texts[name] = nil }
}

/// Candidates at a hint, games that are analysed, and moves that are tried out in a replay.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ReviewingTests {
    private func table(
        _ actions: [Int], game: String = "tictactoe", end: String? = nil, network: any Evaluator = HashEvaluator(),
        hasValue: Bool = true
    ) throws -> Table {
        let memory = Memory(Notes(), bundle: game)
        memory.choices = Choices(strength: .policy, begins: .you)
        let reading = try reading(game)
        return try Table(Opened(reading, Thinker(reading, network, hasValue: hasValue), memory), kept: kept(reading, actions, end: end), chance: { 0 })
    }

    // MARK: Candidates

    @Test func aHintHasWhatTheSearchConsiders() async throws {
        let table = try table([0, 4])
        table.simulations = 50
        table.hint()
        await table.settle()
        let found = try #require(table.found)
        #expect(found.visits == 49 && found.isWhole)
        #expect(found.candidates.count == Candidate.most)
        #expect(found.candidates.map(\.visits) == found.candidates.map(\.visits).sorted(by: >))
        #expect(table.heat == found.shares && table.panel.options.map(\.action) == found.candidates.map(\.action))
        let same = try await table.opened.thinker.analyse([:], [0, 4], simulations: 50)
        #expect(same == found, "each search is begun anew")
    }

    /// A network that is sure of the first column, which gives away the win of who begins.
    @Test(arguments: [false, true]) func aHintInAnOpeningOfConnect4KeepsTheWin(isLive: Bool) async throws {
        let table = try table(isLive ? [38] : [], game: "connect4", network: FirstColumn())
        table.simulations = 8
        if isLive {
            table.replay(true)
            table.show(at: 0)
            table.watchLive(true)
            let end = ContinuousClock.now + .seconds(300)
            while table.found == nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
        } else {
            table.hint()
            await table.settle()
            #expect(table.notice?.hinted == [38])
        }
        let found = try #require(table.found)
        #expect(found.candidates.first?.action == 38 && found.candidates.count > 1)
        #expect(table.points == nil, "the table says nothing of how much")
        table.leave()
    }

    @Test func withoutAValueACandidateHasNoChance() async throws {
        let table = try table([0, 4], hasValue: false)
        table.hint()
        await table.settle()
        let found = try #require(table.found)
        #expect(table.panel.rates == nil && found.seen == nil && !found.candidates.isEmpty)
        #expect(table.notice?.hinted != nil && table.notice?.chance == nil)
    }

    @Test func aHintInAReplayIsOfThePositionThatIsShown() async throws {
        let table = try table([0, 4, 1, 2])
        table.replay(true)
        table.show(at: 2)
        table.hint()
        await table.settle()
        #expect(try #require(table.found) == (try await table.opened.thinker.analyse([:], [0, 4], simulations: 200)))
        table.show(at: 3)
        #expect(table.found == nil && table.heat == nil && table.notice == nil)
        // Who goes on meanwhile is not told of another position.
        table.hint()
        table.show(at: 1)
        await table.settle()
        #expect(table.found == nil)
    }

    // MARK: Analyses

    @Test func aGameIsAnalysedPositionByPosition() async throws {
        let table = try table([0, 4, 8, 2, 6])
        table.replay(true)
        table.analyse()
        #expect(table.isAnalysing && !table.session.isAnalysed)
        await table.settle()
        #expect(!table.isAnalysing && table.session.isAnalysed)
        #expect(table.session.analysed == (6, 6))
        let search = Search(try Fixtures.after("tictactoe", .null, [0, 4]), HashEvaluator())
        try await search.run(200)
        #expect(await search.assessment() == table.session.seen[2])
        #expect(table.session.review.moves.map(\.action) == [0, 4, 8, 2, 6])
        table.show(at: 0)
        #expect(table.session.judged == nil)
        table.show(at: 3)
        #expect(table.session.judged?.action == 8)
    }

    @Test func theNextMistakeIsShown() async throws {
        // A win at once is not taken.
        let table = try table([0, 3, 1, 4, 8, 5])
        table.analyse()
        await table.settle()
        let moves = table.session.review.moves
        #expect(moves[4].verdict.isMistake, "\(moves[4])")
        #expect(moves[4].better == 2)
        // What stands beside a blunder was looked at again, by a search that is four times as deep.
        for at in moves.indices where moves[at].verdict == .blunder {
            #expect(table.session.seen[at]?.isSure == true && table.session.seen[at + 1]?.isSure == true)
        }
        #expect(moves[4].verdict == .blunder)
        let deeper = Search(try Fixtures.after("tictactoe", .null, [0, 3, 1, 4]), HashEvaluator())
        try await deeper.run(800)
        #expect(await deeper.assessment()?.surer == table.session.seen[4])
        let mistakes = moves.indices.filter { moves[$0].verdict.isMistake }.map { $0 + 1 }
        #expect(table.session.marks.map(\.moves) == mistakes)
        #expect(table.session.marks.map(\.isBlunder) == mistakes.map { moves[$0 - 1].verdict == .blunder })
        for ply in mistakes + mistakes.prefix(1) {
            table.showNextMistake()
            #expect(table.isReplay && table.session.ply == ply)
        }
    }

    @Test func anAnalysisThatIsEndedKeepsWhatItKnowsAndGoesOn() async throws {
        let table = try table([0, 4, 8, 2, 6], network: Counting(milliseconds: 1))
        table.simulations = 50
        table.replay(true)
        table.analyse()
        while table.session.analysed.done < 2 { try await Task.sleep(for: .milliseconds(1)) }
        table.stopAnalysis()
        #expect(!table.isAnalysing)
        let known = table.session.analysed.done
        #expect(known < 6)
        table.analyse()
        await table.settle()
        #expect(table.session.isAnalysed)
    }

    /// Who analyses a game under way is told of the network's answer, too.
    @Test func aMoveThatIsMadeMeanwhileIsAnalysedAsWell() async throws {
        let table = try table([0, 4], network: Counting(milliseconds: 1))
        table.simulations = 50
        table.play(8)
        table.replay(true)
        table.analyse()
        await table.settle()
        #expect(table.session.moves == 4 && table.session.isAnalysed)
    }

    @Test func aNetworkThatFailsEndsAnAnalysisAndNotTheGame() async throws {
        let network = Counting()
        await network.fail(true)
        let table = try table([0, 4], network: network)
        table.replay(true)
        table.analyse()
        await table.settle()
        #expect(table.notice == .noHint(Failure(Counting.Broken())))
        #expect(!table.isAnalysing && table.failure == nil)
    }

    @Test func whatIsKnownOfPositionsIsForgottenWithThem() async throws {
        let table = try table([0, 4])
        table.analyse()
        await table.settle()
        #expect(table.session.isAnalysed)
        table.undo()
        #expect(table.session.moves == 0 && table.session.seen.keys.sorted() == [0])
        table.restart()
        #expect(table.session.seen.isEmpty)
    }

    // MARK: Lines

    @Test func movesOfBothSidesAreTriedOut() throws {
        let table = try table([0, 4, 8])
        table.replay(true)
        table.show(at: 1)
        #expect(table.canTry)
        table.play(8)
        table.play(2)
        #expect(table.displayed.actions == [0, 8, 2])
        #expect((table.line?.from, table.line?.length) == (1, 2))
        #expect(table.session.actions == [0, 4, 8], "the game is as it was")
        table.play(2)
        #expect(table.notice == .notPossible(Refusal(.occupied)))
        table.takeBack()
        #expect(table.displayed.actions == [0, 8] && table.notice == nil)
        table.takeBack()
        #expect(table.line == nil && table.session.ply == 1)
        table.play(8)
        table.toGame()
        #expect(table.line == nil && table.displayed.ply == 1)
        table.play(8)
        table.show(at: 2)
        #expect(table.line == nil && table.displayed.ply == 2)
        table.play(8)
        table.replay(false)
        #expect(table.line == nil && table.session.ply == 3)
        table.leave()
    }

    @Test func theGamesOwnNextMoveIsNoLine() throws {
        let table = try table([0, 4, 8])
        table.replay(true)
        table.show(at: 1)
        table.play(4)
        #expect(table.line == nil && table.session.ply == 2 && table.identity.beside.lines.isEmpty)
        table.play(2)
        #expect(table.line?.moves == [2])
        // In a line it is a move like any other.
        table.play(8)
        #expect(table.line?.moves == [2, 8] && table.session.ply == 2)
    }

    @Test func aPassThatIsForcedIsTakenBackWithItsMove() throws {
        let table = try table([0, 3, 12], game: "dots_and_boxes")
        table.replay(true)
        table.play(13)
        #expect(table.line?.length == 2, "the other one has to pass")
        table.takeBack()
        #expect(table.line == nil)
    }

    @Test func theGameGoesOnFromWhatWasTriedOut() async throws {
        let table = try table([0, 4, 8, 2, 6])
        table.replay(true)
        #expect(!table.canPlayFromHere, "the end is where it is")
        table.show(at: 2)
        #expect(table.canPlayFromHere)
        table.play(1)
        let before = table.identity.id
        table.playFromHere()
        #expect(table.identity.id != before, "it is a game of its own")
        #expect(!table.isReplay && table.line == nil)
        #expect(table.session.actions == [0, 4, 1])
        await table.settle()
        #expect(table.session.moves == 4 && table.canPlay, "the network has answered")
        #expect(table.gameRecord.actions == table.session.actions)
    }

    @Test func aGameThatWasGivenUpGoesOnFromAnEarlierMove() async throws {
        let table = try table([0, 4], end: "resigned")
        table.replay(true)
        table.show(at: 0)
        table.playFromHere()
        #expect(table.session.ending == nil && table.session.moves == 0 && table.canPlay)
    }

    @Test func whereAGameIsOverNothingIsTriedOut() throws {
        let table = try table([0, 3, 1, 4, 2])
        table.replay(true)
        #expect(!table.canTry && !table.canHint)
        table.play(8)
        #expect(table.line == nil)
    }
}

/// Likes the first column of Connect4 alone.
private struct FirstColumn: Evaluator {
    func evaluate(_ state: any State) async throws -> Evaluation {
        Evaluation(value: 0, policy: (0..<state.actions).map { $0 % 7 == 0 ? 40 : 0 }, logits: true)
    }
}
