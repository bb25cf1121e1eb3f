import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxBundle

/// Why a bundle cannot be played: by the index, or by this app where the index does not say.
@Suite struct PlayableTests {
    /// The bundle that has the members of one of playable.json's manifests.
    private func judged(_ members: Json, _ problems: [String]? = nil, format: String? = nil) throws -> Judged {
        let rest: [String: Json] = [
            "schema_version": .number(1), "name": .text("one"), "files": .list([]),
            "recommended": .object(["ios": .text("one.mlpackage")]),
            "checkpoint": .object(["parameters": .number(2)]),
        ]
        let manifest = try Manifest(.object(rest.merging(members.members ?? [:]) { $1 }), of: "one")
        let entry = Entry(
            name: "one", title: "One", game: nil, artifact: nil, format: format, files: [], problems: problems)
        return judge(entry, manifest)
    }

    private var usual: Json {
        get throws { try Fixtures.read("playable").items("cases")[0]["manifest"] }
    }

    /// What stands in brackets is an engine's own sentence.
    private func bare(_ clause: String) -> String {
        clause.replacing(#/^(what .* be drawn) \(.+\)$/#) { $0.output.1 }
    }

    @Test func everyManifestOfTheListIsJudgedAsPythonJudgesIt() throws {
        let cases = try Fixtures.read("playable").items("cases")
        #expect(cases.count >= 22)
        for each in cases {
            let found = try judged(each["manifest"])
            let problems = try each.items("problems").map { $0.text ?? "" }
            #expect(found.problems.map { bare($0.english) } == problems.map(bare), "\(each["about"])")
            #expect((found.reading != nil) == problems.isEmpty, "\(each["about"])")
            // The index has Python's clauses: they are known by their keys, and are the same again.
            let told = try judged(try usual, problems)
            #expect(told.problems.map(\.english) == problems)
            #expect(told.problems.map(\.key) == found.problems.map(\.key))
        }
    }

    @Test func theIndexHasTheWordWhereItTellsAProblem() throws {
        let told = try judged(try usual, ["it is of another kind"])
        #expect(told.reading == nil)
        #expect(told.problems == [Remark(key: nil, places: [], english: "it is of another kind")])
        #expect(try judged(try usual, []).problems.isEmpty)
    }

    @Test func anotherPlatformsNetworkCannotBePlayed() throws {
        let found = try judged(try usual, [], format: "tflite")
        #expect(found.problems.map(\.key) == ["problem_no_artifact"])
        #expect(found.reading == nil)
    }

    @Test func aValueThatIsNotDescribedIsTold() throws {
        let value = Json.object([
            "name": .text("value"), "role": .text("value"), "shape": .list([.number(1)]), "value_range": .text("z"),
        ])
        var members = try #require(try usual.members)
        members["outputs"] = .list([value])
        let found = try judged(.object(members))
        #expect(found.problems.map(\.key) == ["problem_unreadable_value"])
        #expect(found.problems[0].places[0].hasPrefix("value_range 'z' is unknown"))
    }

    @Test func whatIsNotPlayedStillHasItsNetworkAndItsPositions() throws {
        let broken = try Broken()
        try broken.edit("\"game\": \"tictactoe\"", "\"game\": null")
        let bundle = try broken.open()
        #expect(bundle.problems.map(\.key) == ["problem_no_game"])
        #expect(bundle.untestable == nil)
        #expect(try bundle.golden().count == 20)
        #expect(try bundle.model().lastPathComponent == "tictactoe.mlpackage")
        let why = "Bundle 'tictactoe' cannot be played: it has no known game."
        #expect(throws: BundleError(.unplayable, "tictactoe", "it has no known game")) { try bundle.reading }
        #expect(BundleError(.unplayable, "tictactoe", "it has no known game").sentence == why)
    }

    @Test func withoutPositionsTheGameIsPlayedAndTheSelfTestIsNot() throws {
        let broken = try Broken()
        try broken.edit("\"path\": \"golden.json\"", "\"path\": \"silver.json\"")
        let bundle = try broken.open()
        #expect(bundle.untestable?.key == "problem_no_golden")
        #expect(bundle.readingOrNil != nil)
    }
}
