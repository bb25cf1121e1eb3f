@testable import AzxEngine
import Support
import Testing

/// Searches as a bundle's `search` sets them, and settings that are not known.
@Suite(.timeLimit(.minutes(10))) struct SearchesTests {
    private let file: Json

    private func root(_ members: [String: Json]) -> Json { .object(["root": .object(members)]) }

    init() throws { file = try Fixtures.read("searches") }

    @Test func logarithmsAreThoseOfEveryLanguageToTheLastBit() throws {
        let pairs = try file.items("logarithms").map { $0.list?.compactMap(\.number) ?? [] }
        #expect(pairs.count > 5)
        for pair in pairs { #expect(logarithm(pair[0]) == pair[1]) }
    }

    @Test func movesAreVisitedInTheOrderThatWasWritten() throws {
        for written in try file.items("halvings") {
            var halving = Halving(try written.int("considered"), try written.int("simulations"))
            let steps = try written.ints("steps")
            #expect(steps.map { _ in halving.step() } == steps)
        }
    }

    @Test func lowerBoundsAreThoseOfEveryLanguageToTheLastBit() throws {
        let bounds = try file.items("bounds").map { $0.list?.compactMap(\.number) ?? [] }
        #expect(bounds.count > 5)
        for bound in bounds {
            #expect(LowerBound.of(Int(bound[0]), total: bound[1], squares: bound[2], errors: bound[3]) == bound[4])
        }
    }

    @Test func everySearchMakesTheVisitsThatAreWritten() async throws {
        let cases = try file.items("cases")
        #expect(cases.count > 50)
        for written in cases { try await repeatSearch(written, constant: file.double("c")) }
    }

    private func repeatSearch(_ written: Json, constant: Double) async throws {
        let start = try Fixtures.after(written["game"].text ?? "", .null, written.ints("actions"))
        // What says where C begins has no other constant.
        let given: @Sendable (Int) -> Double = { _ in constant }
        let search = Search(
            start, HashEvaluator(), constant: written["search"]["c_init"].number == nil ? given : nil,
            proves: written["proves"] == .bool(true), settings: SearchSettings(written["search"]))
        for (move, expected) in try written.items("moves").enumerated() {
            let at: Comment = "\(written["game"]), \(written["search"]) \(written["runs"]), move \(move)"
            if written["plan"].text == nil { await search.plan(written["plan"].whole) }
            for simulations in try written.ints("runs") { try await search.run(simulations) }
            try await expectMove(search, expected, at)
        }
    }

    @Test func aSearchForATimeIsOnePlanInGrowingParts() async throws {
        let settings = SearchSettings(root(["kind": .text("gumbel")]))
        let start = try Fixtures.after("go", .null, [])
        let timed = Search(start, HashEvaluator(), settings: settings)
        let planned = Search(start, HashEvaluator(), settings: settings)
        try await timed.run(96, seconds: 3600)
        await planned.plan(nil)
        try await planned.run(96)
        #expect(await timed.visits().map(\.visits) == planned.visits().map(\.visits))
    }

    @Test func settingsThatAreNotKnownAreNamedByTheirPlace() throws {
        let written = try file.items("settings")
        #expect(written.count > 10)
        for each in written { #expect(SearchSettings.fault(in: each["search"]) == each["fault"].text, "\(each)") }
    }

    @Test func settingsAreTheUsualOnesWhereABundleHasNoneOrNamesThem() {
        #expect(SearchSettings(.null) == SearchSettings())
        #expect(SearchSettings(root(["kind": .text("puct")])) == SearchSettings())
        var four = SearchSettings.Gumbel()
        (four.considered, four.scale) = (4, 1)
        let set = root(["kind": .text("gumbel"), "considered": .number(4), "c_scale": .number(1)])
        #expect(SearchSettings(set).root == four)
        let puct = Json.object(["root": .object(["kind": .text("puct")]), "c_init": .number(2), "first_play": .number(0)])
        var usual = SearchSettings()
        #expect(usual.cInit == 1.25 && usual.firstPlay == nil)
        (usual.cInit, usual.firstPlay) = (2, 0)
        #expect(SearchSettings(puct) == usual)
        var early = SearchSettings()
        early.earlyStop = true
        #expect(SearchSettings(.object(["root": .object(["kind": .text("puct")]), "early_stop": .bool(true)])) == early)
        var bound = SearchSettings()
        bound.lowerBound = 0
        #expect(SearchSettings(.object(["root": .object(["kind": .text("puct")]), "lower_bound": .number(0)])) == bound)
    }
}

/// Check a search's visits, depth and best move against what is written of a move, and play that move.
func expectMove(_ search: Search, _ expected: Json, _ at: Comment) async throws {
    let visited = await search.visits().filter { $0.visits > 0 }
    let found = visited.map { (String($0.action), Json.number(Double($0.visits))) }
    #expect(Dictionary(uniqueKeysWithValues: found) == expected["visits"].members, at)
    let report = try await search.report()
    #expect(try report.depth == expected.int("depth"), at)
    #expect(try report.action == expected.int("best"), at)
    try await search.play(report.action)
}
