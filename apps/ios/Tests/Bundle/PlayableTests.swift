import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxBundle

/// Why a bundle cannot be played: by the index, or by this app where the index does not say.
@Suite struct PlayableTests {
    /// The bundle that has the members of one of playable.json's manifests.
    private func judgeManifest(_ members: Json, _ problems: [Problem] = [], format: String? = nil) throws -> (reading: Reading?, problems: [Problem]) {
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

    /// What makes it unreadable is an engine's own sentence.
    private func bare(_ problem: Problem) -> [String] {
        [problem.code] + (problem.code == "unreadable" ? [] : problem.places)
    }

    @Test func everyManifestOfTheListIsJudgedAsPythonJudgesIt() throws {
        let cases = try Fixtures.read("playable").items("cases")
        #expect(cases.count >= 22)
        for each in cases {
            let found = try judgeManifest(each["manifest"])
            let problems = try #require(Problem.list(each["problems"]))
            #expect(found.problems.map(bare) == problems.map(bare), "\(each["about"])")
            #expect((found.reading != nil) == problems.isEmpty, "\(each["about"])")
            // The index and the manifest may say the same once more.
            #expect(try judgeManifest(try usual, problems).problems == problems)
            var members = try #require(each["manifest"].members)
            members["problems"] = each["problems"]
            #expect(try judgeManifest(.object(members), problems).problems.map(bare) == problems.map(bare))
        }
    }

    @Test func theIndexHasTheWordWhereItTellsAProblem() throws {
        let told = try judgeManifest(try usual, [Problem("blue", "sky")])
        #expect(told.reading == nil)
        #expect(told.problems == [Problem("blue", "sky")])
        #expect(try judgeManifest(try usual, []).problems.isEmpty)
    }

    @Test func aManifestsProblemsStandBesideTheAppsOwn() throws {
        var members = try #require(try usual.members)
        let blue = Json.object(["code": .text("blue"), "places": .list([.text("sky")])])
        let chess = Json.object(["code": .text("unknown_game"), "places": .list([.text("chess")])])
        members.merge(["game": .text("chess"), "problems": .list([blue, chess])]) { $1 }
        #expect(try judgeManifest(.object(members)).problems == [Problem("unknown_game", "chess"), Problem("blue", "sky")])
        members["problems"] = .list([.text("it is blue")])
        #expect(throws: BundleError("error_member", "one", "problems")) { try judgeManifest(.object(members)) }
    }

    @Test func aManifestThatListsAFileTwiceIsDamaged() throws {
        var members = try #require(try usual.members)
        let one = Json.object(["path": .text("a"), "sha256": .text("0"), "size": .number(1)])
        members["files"] = .list([one])
        #expect(throws: Never.self) { try judgeManifest(.object(members)) }
        members["files"] = .list([one, one])
        #expect(throws: BundleError("error_member", "one", "files")) { try judgeManifest(.object(members)) }
    }

    @Test func anotherPlatformsNetworkCannotBePlayed() throws {
        let found = try judgeManifest(try usual, [], format: "tflite")
        #expect(found.problems == [Problem("no_artifact")])
        #expect(found.reading == nil)
    }

    @Test func aValueThatIsNotDescribedIsTold() throws {
        let value = Json.object([
            "name": .text("value"), "role": .text("value"), "shape": .list([.number(1)]), "value_range": .text("z"),
        ])
        var members = try #require(try usual.members)
        members["outputs"] = .list([value])
        let found = try judgeManifest(.object(members))
        #expect(found.problems.map(\.code) == ["unreadable_value"])
        #expect(found.problems[0].places[0].hasPrefix("value_range 'z' is unknown"))
    }

    @Test func whatIsNotPlayedStillHasItsNetworkAndItsPositions() throws {
        let broken = try Broken()
        try broken.edit("\"game\": \"tictactoe\"", "\"game\": null")
        let bundle = try broken.open()
        #expect(bundle.problems == [Problem("no_game")])
        #expect(bundle.untestable == nil)
        #expect(try bundle.golden().count == 20)
        #expect(try bundle.model().lastPathComponent == "tictactoe.mlpackage")
        #expect(throws: Unplayable(bundle: "tictactoe", problems: [Problem("no_game")])) { try bundle.reading }
    }

    @Test func withoutPositionsTheGameIsPlayedAndTheSelfTestIsNot() throws {
        let broken = try Broken()
        try broken.edit("\"path\": \"golden.json\"", "\"path\": \"silver.json\"")
        let bundle = try broken.open()
        #expect(bundle.untestable == Problem("no_golden"))
        #expect(bundle.readingOrNil != nil)
    }
}
