import Support
import Testing

@testable import AzxEngine

/// The panel of a shown position against panel.json.
@Suite struct PanelTests {
    private let cases: [Json]

    init() throws { cases = try Fixtures.read("panel").items("cases") }

    private func searched(_ json: Json) throws -> PanelFacts.Searched {
        let candidates = try json.items("candidates").map { each in
            PanelFacts.Candidate(
                try each.int("action"), visits: try each.int("visits"), winRate: try each.double("win_rate"),
                line: try each.ints("line"), loss: each["loss"].number)
        }
        return PanelFacts.Searched(chance: json["chance"].number, proven: json["proven"].whole, candidates)
    }

    private func known(_ json: Json) throws -> Known {
        Known(
            legal: try json.ints("legal"), left: try json.ints("left"), result: json["result"].whole,
            margin: json["margin"].whole, outcome: json["outcome"].whole)
    }

    private func reason(_ json: Json) throws -> Reason? {
        guard let code = json["code"].text else { return nil }
        return Reason(try #require(Reason.Code(rawValue: code)), try json.int("action"))
    }

    private func played(_ json: Json) throws -> PanelFacts.PlayedMove {
        PanelFacts.PlayedMove(
            try json.int("action"), by: try json.int("player"), try #require(Verdict(rawValue: json.string("verdict"))),
            try reason(json["reason"]), better: json["better"].whole, line: try json.ints("line"))
    }

    private func moment(_ json: Json) throws -> PanelFacts.Moment {
        var moment = PanelFacts.Moment(try #require(PanelFacts.Moment.Phase(rawValue: json.string("phase"))))
        moment.hasNetwork = json["has_network"].bool ?? true
        moment.isReplay = json["is_replay"].bool ?? false
        moment.isBusy = json["is_busy"].bool ?? false
        moment.isStuck = json["is_stuck"].bool ?? false
        moment.isWatched = json["is_watched"].bool ?? false
        moment.isPaused = json["is_paused"].bool ?? false
        moment.isTrying = json["is_trying"].bool ?? false
        moment.canReview = json["can_review"].bool ?? false
        moment.isReviewed = json["is_reviewed"].bool ?? false
        moment.hasMistakes = json["has_mistakes"].bool ?? false
        return moment
    }

    private func facts(_ json: Json) throws -> PanelFacts {
        func read<Found>(_ name: String, _ make: (Json) throws -> Found) throws -> Found? {
            json[name].isNull ? nil : try make(json[name])
        }
        var facts = PanelFacts(side: try json.int("side"), mover: try json.int("mover"))
        facts.unit = try #require(Panel.Unit(rawValue: json.string("unit")))
        facts.scale = try json.double("scale")
        facts.end = try read("end") { PanelFacts.End(result: try $0.int("result"), lead: $0["lead"].number) }
        facts.known = try read("known", known)
        facts.distance = json["distance"].whole
        facts.search = try read("search", searched)
        facts.points = try read("points") { PanelFacts.Lead(mean: try $0.double("mean"), spread: try $0.double("spread")) }
        facts.network = json["network"].number
        facts.earlier = json["earlier"].number
        facts.played = try read("played", played)
        facts.moment = try moment(json["moment"])
        return facts
    }

    private func number(_ value: Int?) -> Json { value.map { .number(Double($0)) } ?? .null }
    private func number(_ value: Double?) -> Json { value.map { .number($0) } ?? .null }
    private func numbers(_ values: [Int]) -> Json { .list(values.map { .number(Double($0)) }) }

    /// The panel as the fixture writes it.
    private func json(_ panel: Panel) -> Json {
        let reason = { (each: Reason) -> Json in .object(["code": .text(each.code.rawValue), "action": number(each.action)]) }
        return .object([
            "figure": panel.figure.map {
                .object([
                    "side": number($0.side), "unit": .text($0.unit.rawValue), "value": number($0.value),
                    "spread": number($0.spread), "source": .text($0.source.rawValue),
                ])
            } ?? .null,
            "share": number(panel.share),
            "proven": panel.proven.map { .object(["result": number($0.result), "distance": number($0.distance)]) } ?? .null,
            "played": panel.played.map {
                .object([
                    "action": number($0.action), "verdict": .text($0.verdict.rawValue), "reason": $0.reason.map(reason) ?? .null,
                ])
            } ?? .null,
            "better": panel.better.map { .object(["action": number($0.action), "line": numbers($0.line)]) } ?? .null,
            "equal": numbers(panel.equal),
            "options": .list(panel.options.map {
                .object([
                    "action": number($0.action), "value": number($0.value), "loss": number($0.loss), "share": number($0.share),
                    "is_equal": .bool($0.isEqual),
                ])
            }),
            "headline": .text(panel.headline.rawValue), "act": .text(panel.act.rawValue),
        ])
    }

    /// Whether two values are equal, numbers within 1e-9, so that a root may differ in its last bit.
    private func isSame(_ one: Json, _ other: Json) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): abs(one - other) < 1e-9
        case (.list(let one), .list(let other)): one.count == other.count && zip(one, other).allSatisfy(isSame)
        case (.object(let one), .object(let other)):
            one.keys == other.keys && one.allSatisfy { isSame($1, other[$0] ?? .null) }
        default: one == other
        }
    }

    @Test func everyPanelIsAsWritten() throws {
        #expect(cases.count >= 100)
        for each in cases {
            let (found, about) = (json(Panel(try facts(each["facts"]))), try each.string("about"))
            #expect(isSame(found, each["panel"]), "\(about): \(found) is not \(each["panel"])")
        }
    }
}
