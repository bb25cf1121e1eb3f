import Support
import Testing

@testable import AzxEngine
@testable import AzxPlay

/// What a hint is for: of a solved end what loses nothing, however often a search has looked at another move.
struct AnalysisTests {
    private func found(isSolved: Bool) -> Analysis {
        let visits = [(5, 22), (7, 21), (3, 16), (9, 16)]
        return Analysis(
            seen: nil, candidates: visits.map { Candidate(action: $0, visits: $1, winRate: 0, prior: 0.1) },
            lines: [[1], [2], [3], [4]], visits: 75, isWhole: true, isSolved: isSolved)
    }

    @Test func whatASolvedEndIsBestAtComesFirstWithItsLine() {
        let told = found(isSolved: true).putBestFirst([5: -2, 7: 0, 3: -1, 9: 0])
        #expect(told.candidates.map(\.action) == [7, 9, 3, 5])
        #expect(told.lines == [[2], [4], [3], [1]])
        #expect(told.visits == 75 && told.isWhole && told.isSolved)
    }

    @Test func whatASearchOfGoThinksBestStaysInFrontAndSoDoesAllWhereChancesAloneAreKnown() {
        #expect(found(isSolved: false).putBestFirst([5: 0, 7: 3, 3: -1, 9: 0]) == found(isSolved: false))
        #expect(found(isSolved: true).putBestFirst([:]) == found(isSolved: true))
    }

    /// A network that is sure of a move which gives boxes away, in a search that looks at little else.
    @Test(arguments: [true, false]) func theBestMovesOfASolvedEndAreListedFirstThoughNoSearchHasTriedThem(hasValue: Bool) async throws {
        let (reading, actions) = (try reading("dots_and_boxes"), [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19])
        let state = try actions.reduce(try reading.start()) { try $0.apply($1) }
        let known = Known(state)
        let bad = try #require(known.legal.first { !known.left.contains($0) })
        let search = Search(state, Sure(action: bad))
        _ = try await search.run(8, seconds: 60)
        let tried = await search.candidates().map(\.action)
        #expect(!tried.contains(where: known.left.contains), "else this shows nothing")
        let thinker = Thinker(reading, Sure(action: bad), hasValue: hasValue)
        let found = try await thinker.analyse([:], actions, simulations: 8)
        let most = min(known.left.count, Candidate.most)
        #expect(most > 0 && found.isSolved && found.candidates.count == min(Candidate.most, known.left.count + tried.count))
        #expect(found.candidates.prefix(most).allSatisfy { known.left.contains($0.action) })
        #expect(found.candidates.prefix(most).allSatisfy { $0.visits == 0 && $0.winRate == known.chance })
        #expect(found.lines.count == found.candidates.count && (found.seen != nil) == hasValue)
        let points = try #require(try state.points(of: found.candidates.map(\.action)))
        #expect(found.putBestFirst(points).candidates.first.map { points[$0.action] } == 0)
    }

    /// In openings of Connect4: the win on an empty board, which the middle column alone keeps, and a draw.
    @Test(arguments: [[], [37]]) func theMovesThatKeepAnOpeningAreListedFirstAsTheReviewJudgesThem(_ actions: [Int]) async throws {
        let reading = try reading("connect4")
        let state = try actions.reduce(try reading.start()) { try $0.apply($1) }
        let known = Known(state)
        let bad = try #require(known.legal.first { !known.left.contains($0) })
        let network = Sure(action: bad)
        let found = try await Thinker(reading, network, hasValue: true).analyse([:], actions, simulations: 8)
        #expect(found.candidates.contains { $0.action == bad && $0.visits > 5 }, "it is what the network likes")
        let first = try #require(found.candidates.first)
        #expect(known.left.contains(first.action) && found.seen?.best.map(known.left.contains) == true)
        let count = min(known.left.count, Candidate.most)
        #expect(found.candidates.prefix(count).allSatisfy { known.left.contains($0.action) })
        #expect(!found.candidates.dropFirst(count).contains { known.left.contains($0.action) })
        func judge(_ action: Int) async throws -> JudgedMove? {
            let after = try await Thinker(reading, network, hasValue: true).analyse([:], actions + [action], simulations: 8)
            return Review([try #require(found.seen), try #require(after.seen)], [action]).moves.first
        }
        #expect(try await judge(bad)?.verdict == .blunder)
        #expect(try await judge(first.action)?.verdict == .good)
    }

    @Test func whatTheTableDoesNotTellIsOrderedByTheSearchAlone() async throws {
        // Eight discs: one more than the table has moves for.
        let (reading, actions) = (try reading("connect4"), [38, 31, 24, 17, 10, 3, 37, 30])
        let found = try await Thinker(reading, Sure(action: 35), hasValue: true).analyse([:], actions, simulations: 8)
        let state = try actions.reduce(try reading.start()) { try $0.apply($1) }
        #expect(Known(state).provenBest == nil && found.candidates.first?.action == 35)
        #expect(found.candidates.allSatisfy { $0.visits > 0 })
    }

    @Test func beforeTheSecondSimulationASolvedEndHasNoCandidatesEither() async throws {
        let actions = [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19]
        let state = try actions.reduce(try reading("dots_and_boxes").start()) { try $0.apply($1) }
        let search = Search(state, Sure(action: 3))
        _ = try await search.run(1, seconds: 60)
        #expect(await search.candidates(known: Known(state)).isEmpty)
    }
}

/// Likes one action alone.
private struct Sure: Evaluator {
    let action: Int

    func evaluate(_ state: any State) async throws -> Evaluation {
        Evaluation(value: 0, policy: (0..<state.actions).map { $0 == action ? 40 : 0 }, logits: true)
    }
}
