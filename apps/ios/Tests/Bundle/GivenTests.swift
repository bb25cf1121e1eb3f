import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxBundle

/// The sentence of the BundleError that `body` ends with; nil if it does not.
func refusal<Found>(_ body: () throws -> Found) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? BundleError)?.sentence ?? "\(error) is no BundleError."
    }
}

/// Bundles that a person gives to the app: folders and .zip files, sound and bad ones.
@Suite struct GivenTests {
    private let broken: Broken
    private let above: URL
    private let good: [(String, Data)]
    private let model = "tictactoe.mlpackage/Data/com.apple.CoreML/weights/weight.bin"

    init() throws {
        broken = try Broken()
        above = broken.folder.deletingLastPathComponent()
        let names = try FileManager.default.subpathsOfDirectory(atPath: broken.folder.path).sorted()
        let folder = broken.folder
        good = names.compactMap { name in
            (try? Data(contentsOf: folder.appending(path: name))).map { (name, $0) }
        }
    }

    private func zip(_ members: [(String, Data)], _ edits: [String: Zipped.Edit] = [:]) throws -> URL {
        let url = above.appending(path: "given.zip")
        try Zipped.pack(members, edits).write(to: url)
        return url
    }

    private func below(_ folder: String) -> [(String, Data)] { good.map { ("\(folder)/\($0.0)", $0.1) } }

    private func zipRefusal(_ members: [(String, Data)], _ edits: [String: Zipped.Edit] = [:]) throws -> String? {
        let url = try zip(members, edits)
        return refusal { try take(url, besides: []) }
    }

    private func change(_ path: String, _ change: (Data) -> Data) -> [(String, Data)] {
        good.map { ($0.0, $0.0 == path ? change($0.1) : $0.1) }
    }

    @Test func aFolderIsRead() throws {
        try broken.write(Data([1]), ".DS_Store")
        let taken = try take(broken.folder, besides: [])
        #expect(taken.entry.name == "tictactoe" && taken.entry.title == "Tic-tac-toe")
        #expect(taken.entry.game == "tictactoe" && taken.entry.format == "coreml")
        #expect(Set(taken.files.keys) == Set(good.map(\.0)))
        #expect(taken.entry.files.map(\.path).sorted() == good.map(\.0))
    }

    @Test func aZipIsReadPackedOrNotInAFolderOrWithout() throws {
        let stored = Dictionary(uniqueKeysWithValues: good.map { ($0.0, Zipped.Edit(method: 0)) })
        for (members, edits) in [(good, [:]), (good, stored), (below("tictactoe"), [:]), (below("a/b"), [:])] {
            let taken = try take(try zip(members, edits), besides: [])
            #expect(taken.files.mapValues { sha256($0) } == Dictionary(uniqueKeysWithValues: good.map { ($0.0, sha256($0.1)) }))
        }
    }

    @Test func oneOfAnInstalledNameIsNumbered() throws {
        #expect(try take(broken.folder, besides: ["tictactoe", "tictactoe-2"]).entry.name == "tictactoe-3")
    }

    @Test(arguments: ["../up", "a/b", "", ".hidden", "index.json", String(repeating: "a", count: 101)])
    func aNameThatCanBeNoFoldersIsReplaced(_ name: String) throws {
        try broken.edit("\"name\": \"tictactoe\"", "\"name\": \"\(name)\"")
        #expect(try take(broken.folder, besides: []).entry.name == "bundle")
    }

    @Test(arguments: [
        ("../../secret", "'given.zip' names '../../secret', which is no path inside of it: do not use it."),
        ("/etc/passwd", "'given.zip' names '/etc/passwd', which is no path inside of it: do not use it."),
        ("a\\b", "'given.zip' names 'a\\b', which is no path inside of it: do not use it."),
        ("C:/b", "'given.zip' names 'C:/b', which is no path inside of it: do not use it."),
        // To Swift the "/" with an accent behind it is one letter, to a disk it is a "/".
        ("../\u{301}x", "'given.zip' names '../\u{301}x', which is no path inside of it: do not use it."),
        ("manifest.json", "'given.zip' has 'manifest.json' twice: pack the bundle's folder again."),
    ]) func aPathThatLeadsOutOrStandsThereTwiceIsRefused(_ path: String, _ sentence: String) throws {
        #expect(try zipRefusal(good + [(path, Data([1]))]) == sentence)
    }

    @Test func whatIsNoSoundZipIsRefused() throws {
        for (edit, sentence) in [
            (Zipped.Edit(flags: 1), "'given.zip' is encrypted ('golden.json'): pack it without a password."),
            (Zipped.Edit(method: 93), "'given.zip' packs 'golden.json' in a way that this app does not unpack (93): use Deflate."),
            (Zipped.Edit(size: 0xffff_ffff), "'given.zip' is a Zip64, which is for files too large for this app: open the bundle's folder."),
        ] {
            #expect(try zipRefusal(good, ["golden.json": edit]) == sentence)
        }
        let many = (0...mostMembers).map { ("\($0)", Data()) }
        #expect(try zipRefusal(many) == "'given.zip' has 2001 entries, and a bundle at most 2000: pack its folder alone.")
        #expect(
            try zipRefusal(good, ["manifest.json": Zipped.Edit(size: 9)])
                == "'given.zip' holds more than its directory says: it is damaged, or made to fill memory.")
        // Bytes that the manifest does not say are not unpacked.
        #expect(
            try zipRefusal(good, [model: Zipped.Edit(size: 250_000_000)])?
                .hasPrefix("Bundle 'tictactoe': '\(model)' has 250000000 bytes, its manifest says ") == true)
        #expect(
            try zipRefusal([("cat.png", Data("cat".utf8))])
                == "'given.zip' holds no manifest.json: open the folder that azx export wrote, or a .zip of it.")
        #expect(try zipRefusal(below("one") + below("two")) == "'given.zip' holds 2 bundles: open one of them.")
    }

    @Test func filesThatAreNotTheManifestsAreRefused() throws {
        let start = "Bundle 'tictactoe': '\(model)' "
        let other = change(model) { Data($0.enumerated().map { $0.offset == 1 ? $0.element ^ 1 : $0.element }) }
        #expect(
            try zipRefusal(other)
                == start + "is not the file of its manifest (SHA-256 differs): copy or export the bundle again.")
        #expect(try zipRefusal(change(model) { $0.prefix(3) })?.hasPrefix(start + "has 3 bytes, its manifest says ") == true)
        let without = good.filter { $0.0 != model }
        #expect(try zipRefusal(without) == start + "is missing: copy or export the bundle again.")
        #expect(
            try zipRefusal(good.filter { $0.0 != "golden.json" })
                == "Bundle 'tictactoe': 'golden.json' is missing: copy or export the bundle again.")
        #expect(
            try zipRefusal(change("manifest.json") { _ in Data("{".utf8) })
                == "Bundle 'given.zip': 'manifest.json' is no JSON: export the bundle again.")
        try broken.edit("\"ios\"", "\"other\"")
        #expect(
            refusal { try take(broken.folder, besides: []) }
                == "Bundle 'tictactoe': it has no Core ML artifact: export it with --format coreml.")
    }

    @Test(arguments: [
        ("net.h5", "\u{89}HDF", "'net.h5' looks like a Keras checkpoint: run azx export --format coreml with it and "),
        ("NET.TFLITE", "any", "'NET.TFLITE' looks like a network for TFLite, and this app plays those for Core ML: run "),
        ("net", "\u{1c}\0\0\0TFL3", "'net' looks like a network for TFLite, and this app plays those for Core ML: run "),
        ("model.json", "{}", "'model.json' looks like a network for TF.js, and this app plays those for Core ML: run "),
        ("saved_model.pb", "any", "'saved_model.pb' looks like a part of a SavedModel: run azx export --format coreml "),
        ("cat.png", "a cat", "'cat.png' is no .zip, or is cut short: open a bundle's folder, or a .zip of it."),
        ("empty.zip", "", "'empty.zip' is no .zip, or is cut short: open a bundle's folder, or a .zip of it."),
    ]) func aFileThatIsNoBundleIsNamedWithWhatToRun(_ name: String, _ text: String, _ start: String) throws {
        let url = above.appending(path: name)
        try Data(text.unicodeScalars.map { UInt8($0.value) }).write(to: url)
        let sentence = try #require(refusal { try take(url, besides: []) })
        #expect(sentence.hasPrefix(start) && sentence.hasSuffix("."))
    }

    @Test func aNetworkInAFolderOrAZipIsNamedWithItsPlace() throws {
        try broken.remove("manifest.json")
        let whole = "looks like a part of a network for Core ML, without the manifest.json of its bundle: open the whole folder"
        #expect(
            refusal { try take(broken.folder, besides: []) }?
                .hasPrefix("'tictactoe/tictactoe.mlpackage' \(whole)") == true)
        #expect(try zipRefusal([("export/net.onnx", Data([1]))])?.hasPrefix("'given.zip/export/net.onnx' looks like a network for ONNX") == true)
        let keras = ["metadata.json", "config.json", "model.weights.h5"].map { ($0, Data([1])) }
        #expect(try zipRefusal(keras)?.hasPrefix("'given.zip' looks like a Keras checkpoint") == true)
    }

    /// Its comment fills the rest: what else stands behind it is none of it.
    @Test func aZipEndsWithItsComment() throws {
        let (whole, url) = (Zipped.pack(good, [:]), above.appending(path: "a.zip"))
        try (whole.dropLast(2) + [3, 0] + Data("abc".utf8)).write(to: url)
        #expect(try take(url, besides: []).entry.name == "tictactoe")
        try (whole + Data("abc".utf8)).write(to: url)
        #expect(refusal { try take(url, besides: []) }?.hasPrefix("'a.zip' is no .zip, or is cut short") == true)
    }

    /// Every .zip that is cut short, or changed in one byte, is read as it was or refused in a sentence about it.
    @Test func aZipIsReadAsItWasOrRefused() throws {
        let (whole, url) = (Zipped.pack(good, [:]), above.appending(path: "a.zip"))
        let step = max(1, whole.count / 150)
        for at in stride(from: 0, to: whole.count, by: step) {
            try whole.prefix(at).write(to: url)
            let cut = try #require(refusal { try take(url, besides: []) })
            #expect(cut.hasPrefix("'a.zip' is no .zip") || cut.hasPrefix("'a.zip' is damaged"), "cut at \(at): \(cut)")
            var other = whole
            other[at] ^= 0xff
            try other.write(to: url)
            guard let sentence = refusal({ try take(url, besides: []) }) else { continue }
            let isAbout = ["'a.zip", "Bundle 'a.zip'", "Bundle 'tictactoe'"].contains { sentence.hasPrefix($0) }
            #expect(isAbout && sentence.hasSuffix("."), "byte \(at): \(sentence)")
        }
    }
}

@Suite struct InflateTests {
    private static let text = (try? Data(contentsOf: Fixtures.root.appending(path: "LICENSE")))?.prefix(2000) ?? Data()
    private static let license = """
        hVXBbts4EL3nKwYGCjiA4KRF99DesnUKpNiNCztpsUeaoqRpJVIgKSver+/MkEqUOLs1fLCo4Zs3782Mz+B3n6te6cbAX6iNDebsfyK/GR/QWX
        i3uizgi7KD8kd4d3n5/j8vNTH2Hy8uxnFcKUmzcr6+aFOqcHHGF++ut3/v4Op2DZ82t+ubu5vN7Q4+b7Zwv7suYHv9dbtZ33/i40Ki1je7u+3N
        n/d8IgBvV7A2FVqMRC6szjKbRa5oAaFRbQudURYiVRqN7wIoW4J2tky3oHIehmAK8Kb3rhw0HxcZimNLDNHjfuBzUAFKTmlK2B9hZ3QCeUv43g
        11Ax/AVfSAFOf00BkbX/Jy/oSYdv3RY91EcKM1HogSXcR4BDXExnn8V/JlnNduxEZFoKS1V3TR1hKUdZgRMLVq4VqgT0gMlgsU9gaUFpSJBclA
        sRnGUUAmiCak1CRo9K4tQHkzPbRCuuBq+HSwJV3TruuczUg5EEaMTcJJCVfw2Xnh0Q++d9QxT6o+Gj55tMgoCyklwBLP01U3Gl+QfZ5cYhJo0+
        8CogOtyHSOyyjplSjgoVNW1YbN47xh0E0mVsDYGCmf3Je8SrDnyozI3UQoSyQmYk9osGekCitSszdeM/Tyj8s355LOkTxJ+AloiCGS6uwB2eRN
        mBAJcm8siaCRrHyGPuP5ZPk/bljAku7yL784n7tOX9bkgOXAWB7m/ZEBzAOxxcBEiHeHIUjDS5+lIRBbTlptR9k0jSCNV/ey03pvKuM9XZe3lS
        j+k1N0rkQqTclUTQaj1e0gUtAQgnURWuyQs5OPwVVx5PYKkpBMKUn9afYEKMOkgGKa/wrrwct7sqU1s/Wx2f+gVjilruwxnZEdQyvzUXnX0Uvd
        KEuspwGhrrCBI9XUUHLS5scKFCR5BK54XmDGeFEmjU2PPFBOyOUya+oEqoGOnxU8315U6SFt78A4aXY7U6KCeOznZX93/ufJUhjpUBjLHuJOex
        oBtFMZjwOQpMtldaqkRXJQ2Kp9O83/bC8VvE25AbXKraQe98K03UgGCn5cb0kpCkaRVcXI/y2i0MQ2QyypAPOgup4y00Va7dTm6SJHXvW9ocwP
        NEytG8+fVFgbjwdS8WCABQmLlx3AOV7XIFefkZIGE/G9CmyelVEsOQd3P3VP2lWcSuziWRgb1M1sGZBZ0flf
        """.replacing("\n", with: "")

    /// What Python's zlib has packed: by blocks as they are, of the fixed codes, and of their own.
    @Test(arguments: [
        ("AQUA+v9oZWxsbw==", "hello"), ("y0jNyckHAA==", "hello"), ("y0jNycnPyE9UyIAxAA==", "hellohoa hellohoa "),
        ("S0ykPQAA", String(repeating: "a", count: 100)), (license, String(decoding: text, as: UTF8.self)),
    ]) func blocksOfEachKindAreUnpacked(_ packed: String, _ wanted: String) throws {
        let packed = try #require(Data(base64Encoded: packed))
        let size = wanted.utf8.count
        #expect(try inflate(packed, size: size) == Data(wanted.utf8))
        #expect(throws: InflateError.more) { try inflate(packed, size: size - 1) }
        #expect(throws: InflateError.damaged) { try inflate(packed, size: size + 1) }
        #expect(throws: InflateError.damaged) { try inflate(Data(packed.dropLast()), size: size) }
    }
}
