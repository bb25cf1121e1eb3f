import Foundation

/// Something that is said of a bundle: a text of the app's catalog by its key, what stands in its places, and all of it
/// in English, as logs and shared results have it.
public struct Remark: Equatable, Sendable {
    /// nil where the catalog has no such text: then it is said in English everywhere.
    public let key: String?
    public let places: [String]
    public let english: String

    init(key: String?, places: [String], english: String) {
        self.key = key
        self.places = places
        self.english = english
    }

    init(_ saying: Saying, _ places: [String]) {
        var rest = places[...]
        let pieces = saying.english.split(separator: "%", omittingEmptySubsequences: false).map(String.init)
        let english = pieces.dropFirst().reduce(pieces[0]) { $0 + (rest.popFirst() ?? "") + $1 }
        self.init(key: saying.rawValue, places: places, english: english)
    }

    /// A clause of an index, in which Python's azx.bundle.playable has filled the places; in English alone where it is
    /// one that this app does not know.
    init(clause: String) {
        for saying in Saying.allCases where saying.rawValue.hasPrefix("problem_") {
            guard let places = saying.places(in: clause) else { continue }
            self.init(saying, places)
            return
        }
        self.init(key: nil, places: [], english: clause)
    }
}

/// What can be said of a bundle, by the keys of the app's catalog: sentences that begin with `error`, of one that a person
/// has given with `given` and `zip`, clauses of why it cannot be played with `problem`.
enum Saying: String, CaseIterable {
    case noIndex = "error_index"
    case unlistedManifest = "error_index_manifest"
    case missing = "error_missing"
    case size = "error_size"
    case hash = "error_hash"
    case tooLarge = "error_too_large"
    case noJson = "error_json"
    case version = "error_version"
    case member = "error_member"
    case unlisted = "error_unlisted"
    case noModel = "error_no_artifact"
    case noPositions = "error_no_positions"
    case otherPositions = "error_other_positions"
    case unplayable = "error_unplayable"
    case noNumber = "error_no_number"
    case noOutput = "error_no_output"
    case outputSize = "error_output_size"
    case inputSize = "error_input_size"
    case givenNothing = "given_nothing"
    case givenTooMany = "given_too_many"
    case givenTooLarge = "given_too_large"
    case givenOutside = "given_outside"
    case givenTwice = "given_twice"
    case givenNoManifest = "given_no_manifest"
    case givenKeras = "given_keras"
    case givenOtherFormat = "given_other_format"
    case givenSavedModel = "given_saved_model"
    case givenAlone = "given_alone"
    case givenSeveral = "given_several"
    case givenMissing = "given_missing"
    case givenSize = "given_size"
    case givenHash = "given_hash"
    case givenJsonTooLarge = "given_json_too_large"
    case givenUnreadable = "given_unreadable"
    case givenNoRoom = "given_no_room"
    case givenNotKept = "given_not_kept"
    case givenNotRemoved = "given_not_removed"
    case zipNone = "zip_none"
    case zipParts = "zip_parts"
    case zipEntries = "zip_entries"
    case zipEncrypted = "zip_encrypted"
    case zipPacking = "zip_packing"
    case zipMore = "zip_more"
    case zipDamaged = "zip_damaged"
    case zip64 = "zip_64"
    case noGame = "problem_no_game"
    case inputs = "problem_inputs"
    case unknownGame = "problem_unknown_game"
    case noEncoding = "problem_no_encoding"
    case unreadable = "problem_unreadable"
    case encodingSize = "problem_size"
    case noHeads = "problem_no_heads"
    case batch = "problem_batch"
    case unreadableValue = "problem_unreadable_value"
    case noArtifact = "problem_no_artifact"
    case noGolden = "problem_no_golden"

    /// The catalog's English, with `%` for each of the places in their order.
    var english: String {
        switch self {
        case .noIndex: "azx/index.json is not an index of version 1: install the bundles again with this app's azx."
        case .unlistedManifest: "Bundle '%': the index does not list its manifest.json: install the bundle again."
        case .missing: "Bundle '%': '%' is missing: install the bundle again."
        case .size: "Bundle '%': '%' has % bytes, its manifest says %: install the bundle again."
        case .hash: "Bundle '%': '%' is not the file of its manifest (SHA-256 differs): install the bundle again."
        case .tooLarge: "Bundle '%': '%' is too large: install the bundle again."
        case .noJson: "Bundle '%': '%' is no JSON: export the bundle again."
        case .version: "Bundle '%': its manifest has version %, this app reads 1: use a newer app."
        case .member: "Bundle '%': '%' of its manifest is not there or is damaged: export the bundle again."
        case .unlisted: "Bundle '%': its manifest does not list '%': export the bundle again."
        case .noModel: "Bundle '%': it has no Core ML artifact: export it with --format coreml."
        case .noPositions: "Bundle '%': golden.json has no positions: export the bundle again."
        case .otherPositions: "Bundle '%': golden.json is not of this network: export the bundle again."
        case .unplayable: "Bundle '%' cannot be played: %."
        case .noNumber: "Bundle '%': its network answers with what is no number: export the bundle again."
        case .noOutput: "Bundle '%': its network has no '%' but %: export the bundle again."
        case .outputSize: "Bundle '%': '%' of its network has % numbers, its manifest says %: export the bundle again."
        case .inputSize: "Bundle '%': % numbers were drawn, its network reads %: export it again."
        case .givenNothing: "There was no file in what was given: open a bundle's folder, or a .zip of it."
        case .givenTooMany: "'%' has more than % files: open the folder of one bundle."
        case .givenTooLarge: "'%' is larger than the % MB that this app takes: export it with --format % alone."
        case .givenOutside: "'%' names '%', which is no path inside of it: do not use it."
        case .givenTwice: "'%' has '%' twice: pack the bundle's folder again."
        case .givenNoManifest: "'%' holds no manifest.json: open the folder that azx export wrote, or a .zip of it."
        case .givenKeras:
            "'%' looks like a Keras checkpoint: run azx export --format % with it and open the folder that it writes, or a .zip of it."
        case .givenOtherFormat:
            "'%' looks like a network for %, and this app plays those for %: run azx export --format % with the Keras checkpoint that it comes from and open the folder that it writes, or a .zip of it."
        case .givenSavedModel:
            "'%' looks like a part of a SavedModel: run azx export --format % with its folder and open the one that it writes, or a .zip of it."
        case .givenAlone:
            "'%' looks like a part of a network for %, without the manifest.json of its bundle: open the whole folder that azx export wrote, or a .zip of it."
        case .givenSeveral: "'%' holds % bundles: open one of them."
        case .givenMissing: "Bundle '%': '%' is missing: copy or export the bundle again."
        case .givenSize: "Bundle '%': '%' has % bytes, its manifest says %: copy or export the bundle again."
        case .givenHash:
            "Bundle '%': '%' is not the file of its manifest (SHA-256 differs): copy or export the bundle again."
        case .givenJsonTooLarge:
            "Bundle '%': '%' has % MB, this app reads % MB at most: copy or export the bundle again."
        case .givenUnreadable: "Bundle '%': '%' cannot be read (%): open it again."
        case .givenNoRoom:
            "Bundle '%' has % MB, and this device has no room to keep it: remove another one and open it again."
        case .givenNotKept: "Bundle '%' cannot be kept on this device (%): open it again."
        case .givenNotRemoved: "Bundle '%' cannot be removed (%): try it again."
        case .zipNone: "'%' is no .zip, or is cut short: open a bundle's folder, or a .zip of it."
        case .zipParts: "'%' is one of several parts of a .zip: pack the bundle's folder as one .zip."
        case .zipEntries: "'%' has % entries, and a bundle at most %: pack its folder alone."
        case .zipEncrypted: "'%' is encrypted ('%'): pack it without a password."
        case .zipPacking: "'%' packs '%' in a way that this app does not unpack (%): use Deflate."
        case .zipMore: "'%' holds more than its directory says: it is damaged, or made to fill memory."
        case .zipDamaged: "'%' is damaged: pack the bundle's folder again."
        case .zip64: "'%' is a Zip64, which is for files too large for this app: open the bundle's folder."
        case .noGame: "it has no known game"
        case .inputs: "its network has % inputs, and the apps play those with one"
        case .unknownGame: "its game, '%', is none that the apps know"
        case .noEncoding: "what its network reads is not described"
        case .unreadable: "what its network reads is not described so that it can be drawn (%)"
        case .encodingSize: "its encoding makes % numbers and its network reads %"
        case .noHeads: "it has neither a policy nor a value"
        case .batch: "its artifacts take % positions at a time, and the apps give them one"
        case .unreadableValue: "its value is not described so that it can be read (%)"
        case .noArtifact: "it was installed without its Core ML artifact, which is what an iOS app loads"
        case .noGolden: "it has no golden.json"
        }
    }

    /// What stands in the places of a text that is this in English; nil where it is not.
    fileprivate func places(in text: String) -> [String]? {
        var pieces = english.split(separator: "%", omittingEmptySubsequences: false).map(String.init)
        guard let first = pieces.first, text.hasPrefix(first) else { return nil }
        pieces.removeFirst()
        var (rest, found) = (text.dropFirst(first.count), [String]())
        while let piece = pieces.first {
            pieces.removeFirst()
            // The last piece ends the text; the others end their place where they first stand.
            if pieces.isEmpty {
                guard rest.hasSuffix(piece) else { return nil }
                found.append(String(rest.dropLast(piece.count)))
                rest = ""
            } else {
                guard let at = rest.range(of: piece) else { return nil }
                found.append(String(rest[..<at.lowerBound]))
                rest = rest[at.upperBound...]
            }
        }
        return rest.isEmpty ? found : nil
    }
}
