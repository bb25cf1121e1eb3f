import Support
import Testing

@testable import AzxEngine

/// What mobile_assets/fixtures/review.json says.
@Suite struct ReviewTests {
    private let written: Json

    init() throws { written = try Fixtures.read("review") }

    private func search(_ each: Json, _ actions: [Int], times: Int = 1) async throws -> Search {
        let constant = try written.double("c")
        let state = try Fixtures.after(try each.string("game"), each["settings"], actions)
        let search = Search(state, HashEvaluator(), constant: { _ in constant })
        try await search.run(times * (try each.int("simulations")))
        return search
    }

    private func candidate(_ row: Json) throws -> Candidate {
        Candidate(
            action: try row.int("action"), visits: try row.int("visits"), winRate: try row.double("win_rate"),
            prior: try row.double("prior"))
    }

    @Test("candidates stand in their order, and are at most five")
    func ranks() throws {
        #expect(try Candidate.most == written.int("most"))
        for each in try written.items("ranked") {
            let found = Candidate.rank(try each.items("given").map(candidate))
            #expect(try found.map(\.action) == each.ints("ranked"))
        }
    }

    @Test("candidates of every search are as written")
    func considers() async throws {
        let cases = try written.items("candidates")
        #expect(!cases.isEmpty)
        for each in cases {
            let found = await (try await search(each, try each.ints("actions"))).candidates()
            let wanted = try each.items("candidates").map(candidate)
            #expect(found.map(\.action) == wanted.map(\.action))
            #expect(found.map(\.visits) == wanted.map(\.visits))
            for (one, other) in zip(found, wanted) {
                #expect(abs(one.winRate - other.winRate) < 1e-9)
                #expect(abs(one.prior - other.prior) < 1e-9)
            }
        }
    }

    @Test("losses have their names")
    func names() throws {
        for each in try written.items("verdicts") {
            #expect(try Verdict(loss: each.double("loss")).rawValue == each.string("verdict"))
        }
        for verdict in Verdict.allCases where verdict != .good {
            #expect(try verdict.leastLoss == written["least_losses"].double(verdict.rawValue))
            for unit in Known.Unit.allCases {
                #expect(try verdict.least(unit) == written["least_\(unit.rawValue)"].int(verdict.rawValue))
            }
        }
    }

    @Test("games that were looked at are seen as written")
    func sees() async throws {
        let cases = try written.items("reviews").filter { $0["game"].text != nil }
        #expect(try cases.map { try $0.string("game") }.sorted() == Fixtures.names)
        for each in cases {
            let actions = try each.ints("actions")
            for (plies, wanted) in try each.items("seen").enumerated() {
                let seen = try #require(await (try await search(each, Array(actions.prefix(plies)))).assessment())
                #expect(try seen.mover == wanted.int("mover"))
                #expect(seen.best == wanted["best"].whole)
                #expect(try abs(seen.chance - wanted.double("chance")) < 1e-9)
            }
        }
    }

    /// What was seen as it is written, and beside it what the rules prove, where it is of a game.
    private func readSeen(_ each: Json) throws -> [Seen] {
        let actions = try each.ints("actions")
        return try each.items("seen").enumerated().map { plies, row in
            let known = try each["game"].text.map {
                Known(try Fixtures.after($0, each["settings"], Array(actions.prefix(plies))))
            }
            return Seen(
                mover: try row.int("mover"), chance: try row.double("chance"), best: row["best"].whole,
                isSure: row["sure"].bool ?? false, known: known)
        }
    }

    @Test("what the rules prove is as written")
    func knows() throws {
        for each in try written.items("reasons") {
            for (seen, row) in zip(try readSeen(each), try each.items("seen")) {
                let known = try #require(seen.known)
                #expect(known.left.first == row["best"].whole)
                #expect((known.chance != nil && seen.best != nil) == (row["sure"].bool ?? false))
            }
        }
    }

    @Test("what a blunder stands beside is looked at again")
    func looksAgain() async throws {
        #expect(try Seen.deeper == written.int("deeper"))
        for each in try written.items("again") {
            let (actions, wanted) = (try each.ints("actions"), try readSeen(each))
            var found: [Seen] = []
            for plies in 0...actions.count {
                found.append(try #require(await (try await search(each, Array(actions.prefix(plies)))).assessment()))
                while let at = Review.doubts(found, actions).first {
                    let search = try await search(each, Array(actions.prefix(at)), times: Seen.deeper)
                    found[at] = try #require(await search.assessment()).surer
                }
            }
            #expect(found.map(\.isSure) == wanted.map(\.isSure) && found.contains(where: \.isSure))
            #expect(found.map(\.mover) == wanted.map(\.mover) && found.map(\.best) == wanted.map(\.best))
            for (one, other) in zip(found, wanted) { #expect(abs(one.chance - other.chance) < 1e-9) }
        }
    }

    @Test("moves are judged as written")
    func judges() throws {
        #expect(try Review.fewest == written.int("fewest_moves"))
        let reasons = try written.items("reasons")
        #expect(!reasons.isEmpty)
        for each in try written.items("reviews") + reasons {
            let seen = try readSeen(each)
            #expect(try Review.doubts(seen, each.ints("actions")) == each.ints("doubted"))
            let actions = try each.ints("actions")
            let review = Review(seen, actions)
            let wanted = try each.items("moves")
            #expect(review.moves.count == wanted.count)
            #expect(review.moves.map(\.action) == Array(actions.prefix(wanted.count)))
            for (move, row) in zip(review.moves, wanted) {
                #expect(try move.verdict.rawValue == row.string("verdict"))
                #expect(try move.player == row.int("player"))
                #expect(move.better == row["better"].whole)
                #expect(try abs(move.loss - row.double("loss")) < 1e-9)
                #expect(move.reason?.code.rawValue == row["reason"]["code"].text)
                #expect(move.reason?.action == row["reason"]["action"].whole)
                #expect(move.isChoice == row["choice"].bool)
                #expect(move.margin == row["margin"].whole && move.unit.rawValue == row["unit"].text)
            }
            for player in 0...1 { try check(review, each, player) }
            let next = (0...actions.count).map { review.nextMistake(after: $0) }
            #expect(try next == each.items("next_mistakes").map(\.whole))
        }
    }

    private func check(_ review: Review, _ each: Json, _ player: Int) throws {
        let counts = try each.items("counts")[player]
        for verdict in Verdict.allCases {
            #expect(try review.count(verdict, of: player) == counts.int(verdict.rawValue))
        }
        let (rate, wanted) = (review.accuracy(of: player), try each.items("accuracy")[player].number)
        #expect((rate == nil) == (wanted == nil))
        if let rate, let wanted { #expect(abs(rate - wanted) < 1e-6) }
    }

    @Test("nothing is seen before a move was visited")
    func waits() async throws {
        #expect(await Search(try Fixtures.after("connect4", .null, []), HashEvaluator()).assessment() == nil)
    }
}
