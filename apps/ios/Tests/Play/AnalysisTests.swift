import Testing

@testable import AzxEngine
@testable import AzxPlay

/// What a hint is for: of a solved end what loses nothing, however often a search has looked at another move.
struct AnalysisTests {
    private let found = Analysis(
        seen: nil, candidates: [(5, 22), (7, 21), (3, 16), (9, 16)].map { Candidate(action: $0, visits: $1, winRate: 0, prior: 0.1) },
        lines: [[1], [2], [3], [4]], visits: 75, isWhole: true)

    @Test func whatASolvedEndIsBestAtComesFirstWithItsLine() {
        let told = found.putBestFirst([5: -2, 7: 0, 3: -1, 9: 0])
        #expect(told.candidates.map(\.action) == [7, 9, 3, 5])
        #expect(told.lines == [[2], [4], [3], [1]])
        #expect(told.visits == 75 && told.isWhole)
    }

    @Test func whatASearchOfGoThinksBestStaysInFrontAndSoDoesAllWhereChancesAloneAreKnown() {
        #expect(found.putBestFirst([5: 0, 7: 3, 3: -1, 9: 0]) == found)
        #expect(found.putBestFirst([:]) == found)
    }
}
