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
        #expect(bundle.reading.game.name == name)
        #expect(try bundle.model().lastPathComponent == "\(name).mlpackage")
        #expect(try bundle.golden().count == 20)
        #expect(bundle.manifest.checkpoint.parameters > 0)
    }

    @Test func aChangedModelIsRefused() throws {
        var bytes = try broken.read(Broken.model)
        bytes[400] += 1
        try broken.write(bytes, Broken.model)
        let why = "is not the file of its manifest (SHA-256 differs): install the bundle again."
        #expect(refused == "Bundle 'tictactoe': '\(Broken.model)' \(why)")
    }

    @Test func aTruncatedModelIsRefused() throws {
        let bytes = try broken.read(Broken.model)
        try broken.write(bytes.prefix(1000), Broken.model)
        let why = "has 1000 bytes, its manifest says \(bytes.count): install the bundle again."
        #expect(refused == "Bundle 'tictactoe': '\(Broken.model)' \(why)")
    }

    @Test func aMissingFileIsNamed() throws {
        try broken.remove(Broken.model)
        #expect(refused == "Bundle 'tictactoe': '\(Broken.model)' is missing: install the bundle again.")
        try broken.remove("golden.json")
        let bundle = try broken.open()
        #expect(refusal { try bundle.golden() } == "Bundle 'tictactoe': 'golden.json' is missing: install the bundle again.")
        let entry = try Fixtures.entry(broken.folder)
        try broken.remove("manifest.json")
        let why = "'manifest.json' is missing: install the bundle again."
        #expect(refusal { try GameBundle(entry, broken.store) } == "Bundle 'tictactoe': \(why)")
    }

    @Test func aManifestThatIsNotTheIndexsIsRefused() throws {
        let entry = try Fixtures.entry(broken.folder)
        try broken.edit("\"batch\": 1", "\"batch\": 2")
        let sentence = refusal { try GameBundle(entry, broken.store) }
        #expect(sentence.contains("'manifest.json' is not the file of its manifest"))
    }

    @Test func aPathOutsideOfTheBundleIsRefused() throws {
        for path in ["../tictactoe/t.mlpackage", "/tictactoe.mlpackage", "a/../t.mlpackage", "./t.mlpackage"] {
            let copy = try Broken()
            try copy.edit("\"tictactoe.mlpackage\"", "\"\(path)\"")
            let why = "its manifest does not list '\(path)': export the bundle again."
            #expect(refusal { try copy.open().model() } == "Bundle 'tictactoe': \(why)")
        }
    }

    @Test func aFileThatLeavesTheBundleFromInsideItsArtifactIsRefused() throws {
        try broken.edit("tictactoe.mlpackage/Manifest.json", "tictactoe.mlpackage/../../secret")
        let why = "its manifest does not list 'tictactoe.mlpackage': export the bundle again."
        #expect(refused == "Bundle 'tictactoe': \(why)")
    }

    @Test func aBundleWithoutCoreMLSaysWhatToDo() throws {
        try broken.edit("\"ios\"", "\"other\"")
        #expect(refused == "Bundle 'tictactoe': it has no Core ML artifact: export it with --format coreml.")
    }

    @Test func anUnsoundManifestIsRefusedInWords() throws {
        let lacking = "its manifest lacks inputs, outputs, files or recommended: export the bundle again."
        let changes = [
            ("\"schema_version\": 1", "\"schema_version\": 2", "its manifest has version 2, this app reads 1: use a newer "),
            ("\"schema_version\": 1,", "", "its manifest has version null"),
            ("\"game\": \"tictactoe\"", "\"game\": \"chess\"", "game 'chess' is unknown: this app plays "),
            ("\"game\": \"tictactoe\"", "\"game\": null", "its manifest names no game that could be played."),
            ("\"files\":", "\"no_files\":", lacking),
            ("\"shape\"", "\"shapes\"", lacking),
            ("\"signed\"", "\"nobody\"", "there is no plane 'nobody'"),
            ("\"layout\": \"flat\",", "\"layout\": \"flat\", \"history\": \"y\",", "history 'y' is unknown, use"),
            (
                "\"role\": \"policy\"", "\"role\": \"value\", \"value_range\": \"z\"",
                "value_range 'z' is unknown"
            ),
            ("\"signed\"", "\"signed\", \"ones\"", "its encoding makes 18 numbers, its network reads 9: export it again."),
            ("\"threads\": 1", "\"threads\": 0", "its manifest asks for '0' threads"),
            ("{", "[", "'manifest.json' is no JSON: export the bundle again."),
        ]
        for (old, new, words) in changes {
            let copy = try Broken()
            try copy.edit(old, new)
            let sentence = refusal { try copy.open() }
            #expect(sentence.hasPrefix("Bundle 'tictactoe': "))
            #expect(sentence.contains(words))
            #expect(sentence.hasSuffix("."))
        }
    }

    @Test func aShapeOfMoreNumbersThanThereAreIsRefused() throws {
        try broken.edit("\"shape\": [\n", "\"shape\": [4611686018427387904, 4, \n")
        #expect(refusal { try broken.open() }.contains("its manifest lacks inputs, outputs"))
    }

    @Test func positionsOfAnotherNetworkAreRefused() throws {
        let other = Fixtures.bundles.appending(path: "connect4/golden.json")
        try broken.replace("golden.json", with: try Data(contentsOf: other))
        let bundle = try broken.open()
        let why = "golden.json is not of this network: export the bundle again."
        #expect(refusal { try bundle.golden() } == "Bundle 'tictactoe': \(why)")
    }

    @Test func jsonWithoutAnEndIsRefused() throws {
        let endless = FileHandle(forWritingAtPath: broken.folder.appending(path: "golden.json").path)
        try endless?.truncate(atOffset: (16 << 20) + 1)
        let bundle = try broken.open()
        #expect(refusal { try bundle.golden() } == "azx/tictactoe/golden.json is too large: install the bundle again.")
    }
}

@Suite struct IndexTests {
    private func read(_ text: String) throws -> [Entry] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(text.utf8).write(to: folder.appending(path: "index.json"))
        return try installed(Store(folder))
    }

    private func entry(_ name: String, _ game: String?, _ format: String?) -> String {
        func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        return """
            {"name": "\(name)", "title": "The \(name)", "artifact": null,
             "game": \(quoted(game)), "format": \(quoted(format)),
             "files": [{"path": "manifest.json", "sha256": "ab", "size": 3}]}
            """
    }

    private func index(_ entries: String...) -> String {
        "{\"schema_version\": 1, \"bundles\": [\(entries.joined(separator: ","))]}"
    }

    @Test func withoutAnIndexNothingIsInstalled() throws {
        #expect(try installed(Store(URL(fileURLWithPath: "/nowhere/at/all"))).isEmpty)
    }

    @Test func theBundlesThatCanBePlayedHereAreListedInTheirOrder() throws {
        let found = try read(
            index(
                entry("b", "go", "coreml"), entry("a", "connect4", nil), entry("c", "go", "tflite"),
                entry("d", nil, "coreml")))
        #expect(found.map(\.name) == ["b", "a"])
        #expect(found[0].title == "The b")
        #expect(found[0].files == [FileEntry(path: "manifest.json", sha256: "ab", size: 3)])
    }

    @Test(arguments: [
        "{", "[]", "null", #"{"schema_version": 2, "bundles": []}"#, #"{"schema_version": 1}"#,
        #"{"schema_version": 1, "bundles": [1]}"#, #"{"schema_version": 1, "bundles": [{"name": "a"}]}"#,
    ])
    func whatIsNoIndexOfVersion1IsRefused(text: String) {
        let sentence = "azx/index.json is not an index of version 1: install the bundles again with this app's azx."
        #expect(refusal { try read(text) } == sentence)
    }

    @Test(arguments: ["..", "../a", "/a", "a/b", ".", "a\\\\b"])
    func aBundleWhoseNameLeavesTheFolderIsRefused(name: String) {
        #expect(refusal { try read(index(entry(name, "go", "coreml"))) }.hasPrefix("azx/index.json is not an index"))
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

    /// Written out or the system's: the same, whatever is left behind the last whole block.
    @Test func isTheSameWrittenOut() {
        for count in 0..<130 {
            let bytes = Data((0..<count).map { UInt8($0 * 7 & 255) })
            var hash = Sha256()
            bytes.withUnsafeBytes { hash.add($0) }
            let digits = hash.digest().map { String(format: "%02x", $0) }.joined()
            #expect(digits == sha256(bytes))
        }
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
        "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"a\nb\"", "1 // one", "1 1", "]", "0x10", "--1",
    ])
    func whatIsNoJsonIsRefused(text: String) {
        #expect(throws: JsonError.self) { try parse(text) }
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: JsonError.self) { try Json(parsing: [0x22, 0xff, 0x22]) }
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
