import AzxEngine
import Support
import Testing

/// The end of a game of Go: the boards of scoring.json, counted alike in every language.
@Suite struct GoScoringTests {
    @Test func boardsAreCountedAsTheyWereWritten() throws {
        let cases = try Fixtures.read("go/scoring").items("cases")
        #expect(cases.count > 8)
        for written in cases { try count(written) }
    }

    private func count(_ written: Json) throws {
        let about: Comment = "\(try written.string("about"))"
        let state = try #require(try Fixtures.after("go", written["settings"], written.ints("actions")) as? Go)
        let found = state.ownership(playouts: try written.int("playouts"), seed: try written.int("seed"))
        #expect(try found.black == written.ints("black"), about)
        #expect(try found.white == written.ints("white"), about)
        let leads = found.leads.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        #expect(try leads == written.items("leads").map { $0.wholes ?? [] }, about)
        let dead = state.deadStones(found)
        #expect(try dead == written.ints("dead"), about)
        #expect(try state.score() == written.double("score"), about)
        #expect(try state.score(without: dead) == written.double("score_without"), about)
        let estimate = state.estimate(found)
        #expect(try estimate.score == written["estimate"].double("score"), about)
        #expect(try estimate.spread == written["estimate"].double("spread"), about)
        #expect(try [estimate.points, estimate.pointsOfSpread] == written["estimate"].ints("points"), about)
        #expect(try estimate.percent == written["estimate"].int("percent"), about)
        #expect(try estimate.certainty.rawValue == written["estimate"].string("certainty"), about)
        #expect(try state.isSettled(found) == written.flag("settled"), about)
        #expect(try state.mayPass() == written.flag("may_pass"), about)
    }

    @Test func aChainIsAllStonesThatAreConnected() throws {
        let state = try #require(try Fixtures.after("go", .null, [40, 0, 41, 1, 50, 80]) as? Go)
        #expect(state.chain(41) == [40, 41, 50])
        #expect(state.chain(2) == [])
    }
}
