import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxBundle

/// The sentence of the BundleError that `body` ends with.
private func refusal<Found>(_ body: () throws -> Found) -> String {
    do {
        _ = try body()
        return "It was not refused."
    } catch let error as BundleError {
        return error.sentence
    } catch {
        return "\(error) is no BundleError."
    }
}

@Suite struct BundleTests {
    private let broken: Broken

    init() throws {
        broken = try Broken()
    }

    private var refused: String { refusal { try broken.open().model() } }

    @Test(arguments: Fixtures.names) func everyReferenceBundleIsRead(name: String) throws {
        let bundle = try Fixtures.bundle(Fixtures.bundles.appending(path: name))
        #expect(try bundle.reading.game.name == name)
        #expect(try bundle.model().lastPathComponent == "\(name).mlpackage")
        #expect(try bundle.golden().count == 20)
        #expect(bundle.manifest.checkpoint.parameters > 0)
    }

    @Test func aFileThatLeavesTheBundleFromInsideItsArtifactIsRefused() throws {
        try broken.edit("tictactoe.mlpackage/Manifest.json", "tictactoe.mlpackage/../../secret")
        let why = "its manifest does not list 'tictactoe.mlpackage': export the bundle again."
        #expect(refused == "Bundle 'tictactoe': \(why)")
    }

    @Test func whetherHowItSeesTheBoardIsAssumedIsReadAndADamagedWordOfItIsRefused() throws {
        #expect(try broken.open().doubt == nil)
        try broken.edit("\"checkpoint\": {", "\(assumed) \"checkpoint\": {")
        #expect(try broken.open().doubt != nil)
        let refused = "Bundle 'tictactoe': 'assumed' of its manifest is not there or is damaged: export the bundle again."
        for (old, new) in [("[0, 1]", "[0, 0.5]"), ("0.5", "-1"), ("[0, -1]", "null")] {
            try broken.edit(old, new)
            #expect(refusal { try broken.open() } == refused)
        }
        try broken.edit("\"actions\": null, \"n", "\"actions\": \"cell\", \"n")
        #expect(try broken.open().doubt != nil)
        try broken.edit("tictactoe-signed-opponent", "Tic tac toe")
        #expect(refusal { try broken.open() } == refused)
    }

    @Test func aBundleWithoutCoreMLSaysWhatToDo() throws {
        try broken.edit("\"ios\"", "\"other\"")
        #expect(refused == "Bundle 'tictactoe': it has no Core ML artifact: export it with --format coreml.")
    }
}

@Suite struct IndexTests {
    private func read(_ text: String) throws -> [Entry] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(text.utf8).write(to: folder.appending(path: "index.json"))
        return try readIndex(Store(folder))
    }

    private func entry(_ name: String, _ game: String?, _ format: String?) -> String {
        func quote(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        return """
            {"name": "\(name)", "title": "The \(name)", "artifact": null,
             "game": \(quote(game)), "format": \(quote(format)),
             "files": [{"path": "manifest.json", "sha256": "ab", "size": 3}]}
            """
    }

    private func index(_ entries: String...) -> String {
        "{\"schema_version\": 2, \"bundles\": [\(entries.joined(separator: ","))]}"
    }

    @Test func withoutAnIndexNothingIsInstalled() throws {
        #expect(try readIndex(Store(URL(fileURLWithPath: "/nowhere/at/all"))).isEmpty)
    }

    @Test func everyBundleIsListedInItsOrderWhetherItCanBePlayedOrNot() throws {
        let found = try read(
            index(
                entry("b", "go", "coreml"), entry("a", "connect4", nil), entry("c", "go", "tflite"),
                entry("d", nil, "coreml")))
        #expect(found.map(\.name) == ["b", "a", "c", "d"])
        #expect(found.map(\.game) == ["go", "connect4", "go", nil])
        #expect(found[0].title == "The b")
        #expect(found[0].files == [FileEntry(path: "manifest.json", sha256: "ab", size: 3)])
    }

    private let noGame = "{\"code\": \"no_game\", \"places\": []}"

    @Test func whatTheIndexSaysOfProblemsIsReadAndNothingIsNone() throws {
        let second = "{\"code\": \"second\", \"places\": [\"2\"]}"
        let told = [nil, "null", "[]", "[\(noGame), \(second)]"].map { problems in
            let more = problems.map { ", \"problems\": \($0)" } ?? ""
            return "{\"name\": \"a\", \"files\": []\(more)}"
        }
        let found = try read("{\"schema_version\": 2, \"bundles\": [\(told.joined(separator: ","))]}")
        #expect(found.map(\.problems) == [[], [], [], [Problem("no_game"), Problem("second", "2")]])
    }

    @Test(arguments: ["[\"it has no known game\"]", "[{\"code\": \"no_game\"}]", "[{\"code\": 1, \"places\": []}]", "{}"])
    func problemsThatAreNoCodesAreNoIndex(_ problems: String) {
        #expect(throws: BundleError("error_index")) {
            try read(index("{\"name\": \"a\", \"files\": [], \"problems\": \(problems)}"))
        }
    }

    @Test func anIndexOfAnotherVersionIsNotRead() {
        for version in [1, 3] {
            #expect(throws: BundleError("error_index")) { try read("{\"schema_version\": \(version), \"bundles\": []}") }
        }
    }
}

@Suite struct Sha256Tests {
    /// The examples of FIPS 180-2, appendix B; the last one is a million letters.
    @Test func hashesTheStandardsExamples() {
        let examples = [
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ]
        for (text, expected) in examples { #expect(sha256(Data(text.utf8)) == expected) }
    }
}

@Suite struct JsonTests {
    private func parse(_ text: String) throws -> Json { try Json(parsing: text.utf8) }

    @Test func everyKindOfValueIsRead() throws {
        let read = try parse(#" {"a": [1, -2.5, 3e2, 5000000000, true, false, null], "b": {"c": ""}, "d": [], "e": {} } "#)
        let numbers = [1, -2.5, 300, 5_000_000_000].map { Json.number($0) }
        #expect(
            read == .object([
                "a": .list(numbers + [.bool(true), .bool(false), .null]), "b": .object(["c": .text("")]),
                "d": .list([]), "e": .object([:]),
            ]))
    }

    @Test func escapesAreUndone() throws {
        #expect(try parse(#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#) == .text("a\"\\/\u{8}\u{c}\n\r\té😀é"))
    }

    @Test(arguments: [
        "", " ", "{", "[1", "[1,]", "{\"a\":1,}", "{a: 1}", "{'a': 1}", "{\"a\" = 1}", "{\"a\"}", "[1 2]", "01", "1.",
        "+1", ".5", "-", "1e", "NaN", "Infinity", "tru", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud83d\"",
        "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"a\nb\"", "1 // one", "1 1", "]", "0x10", "--1", "[1, x]", "1\0",
        "{\"\\ud83d\": 1}", "{\"\\x\": 1}", "{\"a\nb\": 1}", "{\"\\u12g4\": 1}", "{\"\\ude00\": 1}",
    ])
    func whatIsNoJsonIsRefused(text: String) {
        #expect(throws: JsonError.self) { try parse(text) }
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: JsonError.self) { try Json(parsing: [0x22, 0xff, 0x22]) }
        #expect(throws: JsonError.self) { try Json(parsing: Array("{\"".utf8) + [0xff] + Array("\": 1}".utf8)) }
    }

    @Test func thePlaceOfAMistakeIsTold() {
        #expect(throws: JsonError(sentence: "Byte 5 of the JSON is wrong: a value was expected.")) { try parse("[1, x]") }
    }

    @Test(arguments: ["[", "{\"a\":"]) func deepNestingIsRefusedBeforeTheStackIsFull(opening: String) {
        #expect(throws: JsonError(sentence: "The JSON is nested deeper than 32.")) {
            try parse(String(repeating: opening, count: 100_000))
        }
    }
}
