import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxBundle

/// The wire format, as much of it as makes a model.
private func part(_ number: Int, _ bytes: [UInt8]) -> [UInt8] { varint(UInt64(number << 3 | 2)) + varint(UInt64(bytes.count)) + bytes }

private func text(_ number: Int, _ text: String) -> [UInt8] { part(number, Array(text.utf8)) }

private func whole(_ number: Int, _ value: UInt64) -> [UInt8] { varint(UInt64(number << 3)) + varint(value) }

private func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
}

private func entry(_ number: Int, _ key: String, _ value: [UInt8]) -> [UInt8] { part(number, text(1, key) + part(2, value)) }

/// A model of a few operations, to be built in other ways.
private struct Model {
    var version: UInt64 = 6
    var function = "main"
    var opset = "CoreML5"
    var operations = ["const", "linear"]
    /// More of an operation, of the block, of the function, of the program and of the model.
    var inOperation: [UInt8] = [], inBlock: [UInt8] = [], inFunction: [UInt8] = [], inProgram: [UInt8] = [], inModel: [UInt8] = []
    var inDescription: [UInt8] = []

    var bytes: [UInt8] {
        let block = operations.flatMap { part(3, text(1, $0) + inOperation) } + inBlock
        let called = text(2, opset) + entry(3, "CoreML5", text(2, "out") + block) + inFunction
        let program = whole(1, 1) + entry(2, function, called) + inProgram
        return whole(1, version) + part(2, inDescription) + part(502, program) + inModel
    }

    /// Why it is refused; nil if it is not.
    var refusal: DoorRefusal? {
        do {
            _ = try Program(bytes, allowed: AllowedOperations.coreML)
            return nil
        } catch { return error }
    }
}

/// Numbers of 32 bits, or of another type, in a shape.
private func tensor(_ shape: [UInt64], type: UInt64 = 11) -> [UInt8] {
    part(2, part(1, whole(1, type) + whole(2, UInt64(shape.count)) + shape.flatMap { part(3, part(1, whole(1, $0))) }))
}

/// A value that lies in a file.
private func value(in file: String, at offset: UInt64 = 64, _ type: [UInt8] = tensor([2, 3])) -> [UInt8] {
    type + part(5, text(1, file) + whole(2, offset))
}

private let weightFile = "@model_path/weights/weight.bin"

/// What a Core ML program may be made of.
@Suite struct ProgramTests {
    @Test func theRecipeIsSoundAndSoIsEachOperationOfTheList() {
        #expect(Model().refusal == nil && AllowedOperations.coreML.count > 100)
        #expect(Model(operations: AllowedOperations.coreML.sorted()).refusal == nil)
        for version in 6...9 { #expect(Model(version: UInt64(version)).refusal == nil) }
    }

    @Test(arguments: [
        "while_loop", "cond", "random_normal", "random_uniform", "random_bernoulli", "random_categorical", "make_list", "list_write",
        "list_read", "list_gather", "read_state", "coreml_update_state", "custom", "CustomLayer", "classify", "", "Linear", "linear ",
        "non_maximum_suppression",
    ])
    func anyOtherOperationIsNamed(_ name: String) {
        #expect(Model(operations: ["const", name]).refusal == .operation(name))
    }

    @Test func anOperationWithABlockOfItsOwnIsNone() {
        #expect(Model(operations: ["linear"], inOperation: part(4, text(2, "out"))).refusal == .operation("linear"))
    }

    @Test func thereIsOneFunctionWithOneBlock() {
        let other = entry(2, "other", text(2, "CoreML5") + entry(3, "CoreML5", []))
        #expect(Model(function: "other").refusal == .form && Model(inProgram: other).refusal == .form)
        #expect(Model(inProgram: entry(2, "main", [])).refusal == .form, "twice the same name")
        #expect(Model(opset: "CoreML6").refusal == .form && Model(inFunction: entry(3, "CoreML6", [])).refusal == .form)
        #expect(Model(inFunction: entry(3, "CoreML5", [])).refusal == .form)
        #expect(Model(inBlock: part(1, text(1, "input"))).refusal == .form, "a block with inputs is a nested one")
    }

    /// Pipelines, layers, custom and linked models, serialised ones, one that learns; a second program, which would be merged.
    @Test(arguments: [200, 201, 202, 300, 500, 502, 555, 556, 900, 3000]) func aModelIsAProgramAlone(_ number: Int) {
        #expect(Model(inModel: part(number, [])).refusal == .form)
    }

    @Test func whatElseAModelMaySayIsRefused() {
        #expect(Model(inModel: whole(10, 1)).refusal == .form, "it would learn")
        #expect(Model(inModel: whole(1, 6)).refusal == .form, "two versions")
        #expect(Model(version: 5).refusal == .form && Model(version: 10).refusal == .form)
        for number in [13, 20, 21, 50] { #expect(Model(inDescription: part(number, [])).refusal == .form, "\(number)") }
        #expect(Model(inDescription: part(1, []) + part(1, []) + part(10, []) + part(100, [])).refusal == nil)
        let state = part(3, text(1, "out") + part(2, part(5, [])))
        #expect(Model(inOperation: state).refusal == .form && Model(inFunction: part(1, text(1, "in") + part(2, part(5, [])))).refusal == .form)
    }

    @Test func weightsLieInTheirFileWhereverAValueIs() throws {
        let places = ["@model_path/weights/../weight.bin", "/etc/passwd", "weights/weight.bin", "@model_path/weights/weight.bin2", ""]
        func all(_ file: String) -> [Model] {
            let own = value(in: file)
            let inList = part(3, part(3, part(1, own))), inTuple = part(3, part(2, part(1, own)))
            let inDictionary = part(3, part(4, part(1, part(1, []) + part(2, own))))
            return [own, inList, inTuple, inDictionary].flatMap { value in
                [
                    Model(inOperation: entry(5, "val", value)), Model(inBlock: entry(4, "a", value)),
                    Model(inOperation: entry(2, "x", part(1, part(2, value)))), Model(inFunction: entry(4, "a", value)),
                    Model(inProgram: entry(4, "a", value)),
                ]
            }
        }
        for place in places { #expect(all(place).allSatisfy { $0.refusal == .form }, "\(place)") }
        for recipe in all(weightFile) {
            let program = try Program(recipe.bytes, allowed: AllowedOperations.coreML)
            #expect(!program.weights.isEmpty && program.weights.allSatisfy { $0 == WeightPlace(offset: 64, bytes: 24) })
        }
        for (type, size) in [(1, 6), (10, 12), (12, 48), (25, 3), (37, 1), (39, 3)] as [(UInt64, UInt64)] {
            let program = try Program(
                Model(inProgram: entry(4, "a", value(in: weightFile, tensor([2, 3], type: type)))).bytes,
                allowed: AllowedOperations.coreML)
            #expect(program.weights.map(\.bytes) == [size])
        }
        let unknown = part(2, part(1, whole(1, 11) + part(3, part(2, []))))
        for type in [[], tensor([1], type: 2), tensor([1], type: 99), tensor([1 << 62, 8]), unknown, part(2, part(2, []))] {
            #expect(Model(inProgram: entry(4, "a", value(in: weightFile, type))).refusal == .form)
        }
        let deep = (0..<20).reduce(value(in: weightFile)) { inner, _ in part(3, part(3, part(1, inner))) }
        #expect(Model(inProgram: entry(4, "a", deep)).refusal == .form)
        #expect(Model(inProgram: entry(4, "a", value(in: weightFile) + part(3, []))).refusal == .form, "two values in one")
    }

    @Test func aFileThatIsCutOrIsNoneIsRefused() {
        let bytes = Model().bytes
        for count in bytes.indices.dropFirst() {
            #expect(throws: DoorRefusal.self) { try Program(Array(bytes.prefix(count)), allowed: AllowedOperations.coreML) }
        }
        let endless = [UInt8](repeating: 0xff, count: 64)
        for more in [[0x0b], [0x0d, 0, 0, 0, 0], [0xff], endless, varint(502 << 3 | 2) + varint(.max)] {
            #expect(throws: DoorRefusal.self) { try Program(bytes + more, allowed: AllowedOperations.coreML) }
        }
        #expect(throws: DoorRefusal.self) { try Program([], allowed: AllowedOperations.coreML) }
    }

    /// Whatever single byte is another one, the reader ends, and does not end the process.
    @Test func anyByteMayBeAnother() throws {
        let folder = Fixtures.bundles.appending(path: Broken.model.replacing("tictactoe.mlpackage", with: "tictactoe/tictactoe.mlpackage"))
        let bytes = [UInt8](try Data(contentsOf: folder))
        var refused = 0
        for at in bytes.indices {
            for other: UInt8 in [0, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x80] {
                var changed = bytes
                changed[at] = other
                if (try? Program(changed, allowed: AllowedOperations.coreML)) == nil { refused += 1 }
            }
        }
        #expect(refused > bytes.count)
    }
}

/// Packages, and bundles with them: those that azx has written, and what somebody has made of one.
@Suite struct DoorTests {
    private let package = "tictactoe.mlpackage"
    private let weights = "tictactoe.mlpackage/Data/com.apple.CoreML/weights/weight.bin"
    private let broken: Broken

    init() throws { broken = try Broken() }

    private func url(_ path: String) -> URL { broken.folder.appending(path: path) }

    private func operation(_ name: String) -> BundleError { BundleError("error_unsafe_operation", "tictactoe", name) }

    private func part(_ file: String) -> BundleError { BundleError("error_unsafe_part", "tictactoe", file) }

    /// Why the package is not run; nil if it is.
    private var fault: BundleError? { findFault(inPackageAt: url(package), of: "tictactoe") }

    /// The same of the bundle, as the app opens it, and as a person gives it.
    private func hold(_ wanted: BundleError) {
        #expect(fault == wanted)
        #expect(throws: wanted) { try broken.open().model() }
    }

    private func edit(_ path: String, _ old: String, _ new: String) throws {
        var bytes = try broken.read(path)
        let found = try #require(bytes.range(of: Data(old.utf8)), "\(old) is not there")
        bytes.replaceSubrange(found, with: Data(new.utf8))
        try broken.replace(path, with: bytes)
    }

    @Test(arguments: Fixtures.names) func whatAzxShipsPasses(name: String) throws {
        let folder = Fixtures.bundles.appending(path: name)
        #expect(findFault(inPackageAt: folder.appending(path: "\(name).mlpackage"), of: name) == nil)
        #expect(try take(folder, besides: []).entry.artifact == "\(name).mlpackage")
    }

    @Test func anOperationThatIsNotOnTheListIsNamedAndTheBundleIsNotTaken() throws {
        try edit(Broken.model, "sigmoid", "custom_")
        hold(operation("custom_"))
        #expect(throws: operation("custom_")) { try take(broken.folder, besides: []) }
        #expect(operation("custom_").sentence.contains("custom_") && part("a file").sentence.contains("'a file'"))
    }

    @Test func weightsOutsideAreRefused() throws {
        try edit(Broken.model, "@model_path/weights/weight.bin", "@model_path/../../../ight.bin")
        hold(part("Data/com.apple.CoreML/model.mlmodel"))
    }

    @Test func weightsThatAreCutOrHaveNoMarkAreRefused() throws {
        let whole = try broken.read(weights)
        let wanted = part("Data/com.apple.CoreML/weights/weight.bin")
        for count in [0, 63, 64, 100, 127, 128, whole.count - 65] {
            try broken.replace(weights, with: whole.prefix(count))
            #expect(fault == wanted, "\(count)")
        }
        // Its header says another size than its shape.
        for other: UInt8 in [0, whole[72] - 4, whole[72] + 4] {
            var resized = whole
            resized[72] = other
            try broken.replace(weights, with: resized)
            #expect(fault == wanted, "\(other)")
        }
        var marked = whole
        marked[64] ^= 1
        try broken.replace(weights, with: marked)
        hold(wanted)
    }

    /// The root is another model than the one that was looked at.
    @Test func anotherRootIsRefused() throws {
        let manifest = "\(package)/Manifest.json"
        let text = String(decoding: try broken.read(manifest), as: UTF8.self)
        let item = "\"com.apple.CoreML/model.mlmodel\""
        let root = try #require(text.firstMatch(of: /"rootModelIdentifier": "([^"]+)"/)?.1)
        let other = try #require(text.matches(of: /"([0-9a-f-]{36})": \{/).map { String($0.1) }.first { $0 != String(root) })
        let (itemsAt, second) = ("\"itemInfoEntries\": {", "\"second\": {\"path\": \"com.apple.CoreML/second.mlmodel\"}")
        for (old, new) in [
            (item, "\"elsewhere/model.mlmodel\""), (item, "\"../model.mlmodel\""), (item, "\"com.apple.CoreML/second.mlmodel\""),
            ("\"rootModelIdentifier\": \"\(root)\"", "\"rootModelIdentifier\": \"\(other)\""),
            ("\"rootModelIdentifier\": \"\(root)\"", "\"rootModelIdentifier\": \"nothing\""),
            ("\"rootModelIdentifier\"", "\"rootModelIdentifier\": \"\(other)\", \"rootModelIdentifier\""),
            (itemsAt, "\(itemsAt) \(second),"), (itemsAt, "\"itemInfoEntries\": {}, \(itemsAt)"),
            ("\"path\": \(item)", "\"path\": \"second.mlmodel\", \"path\": \(item)"),
            ("\"path\": \(item)", "\"p\\u0061th\": \"second.mlmodel\", \"path\": \(item)"),
            ("\"fileFormatVersion\"", "\"more\": 1, \"fileFormatVersion\""), (text, "[]"), (text, ""),
        ] {
            #expect(text.contains(old))
            try broken.write(Data(text.replacing(old, with: new).utf8), manifest)
            #expect(fault == part("Manifest.json"), "\(old) \(new)")
        }
        try broken.write(Data(text.utf8), manifest)
        #expect(fault == nil)
        // As Apple's own writer has it.
        try broken.write(Data(text.replacing("/", with: "\\/").utf8), manifest)
        #expect(fault == nil)
    }

    @Test func whateverElseLiesInThePackageIsRefused() throws {
        for path in ["Data/com.apple.CoreML/second.mlmodel", "Data/com.apple.CoreML/weights/second.bin", "more", "Data/more/weight.bin"] {
            let file = url("\(package)/\(path)")
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("more".utf8).write(to: file)
            #expect(fault?.key == "error_unsafe_part" && fault?.places[1].hasPrefix(path.prefix(9)) == true, "\(path)")
            try FileManager.default.removeItem(at: file)
            if path.hasPrefix("Data/more") { try FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        }
        #expect(fault == nil)
        try broken.remove(weights)
        try FileManager.default.createSymbolicLink(at: url(weights), withDestinationURL: url("manifest.json"))
        #expect(fault == part("Data/com.apple.CoreML/weights/weight.bin"))
    }

    /// A network whose few constants lie in its model has no file of weights, and its manifest names their folder.
    @Test func aPackageWithoutAFileOfWeightsIsSoundWhereItNamesNone() throws {
        let manifest = try broken.read("\(package)/Manifest.json")
        func fault(_ model: [UInt8]) -> BundleError? {
            let files = ["Manifest.json": manifest, "Data/com.apple.CoreML/model.mlmodel": Data(model)]
            return findFault(inPackage: files, of: "tictactoe")
        }
        #expect(fault(Model().bytes) == nil)
        let weighty = Model(inProgram: entry(4, "a", value(in: weightFile))).bytes
        #expect(fault(weighty) == part("Data/com.apple.CoreML/weights/weight.bin"))
    }

    @Test func aFileInAPackagesPlaceIsNone() throws {
        #expect(findFault(inPackageAt: url("manifest.json"), of: "tictactoe") == part("Manifest.json"))
        #expect(findFault(inPackageAt: url("nothing"), of: "tictactoe") != nil)
    }

    /// A bundle may have a list of all its files beside its manifest, or none.
    @Test func aListOfAllFilesIsNoProblem() throws {
        #expect(try take(broken.folder, besides: []).files["files.json"] == nil)
        try broken.write(Data("{\"files\": []}".utf8), "files.json")
        #expect(try broken.open().model().lastPathComponent == package)
        #expect(try take(broken.folder, besides: []).entry.name == "tictactoe")
    }
}
