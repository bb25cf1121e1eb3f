/// The door before Core ML: each file of a package is checked. A package that differs from what azx writes is neither compiled
/// nor run.

import AzxEngine
import Foundation

/// The places at which azx writes the files of a package.
private enum Place {
    static let manifest = "Manifest.json"
    static let model = "Data/com.apple.CoreML/model.mlmodel"
    static let weights = "Data/com.apple.CoreML/weights/weight.bin"
    static let folders: Set = ["Data", "Data/com.apple.CoreML", "Data/com.apple.CoreML/weights"]
    // As the package's own manifest has them, below Data.
    static let modelItem = "com.apple.CoreML/model.mlmodel"
    static let weightsItem = "com.apple.CoreML/weights"
}

/// Why the package of these files, by their paths below it, is not run; nil if it is sound. `bundle` is whose it is.
func findFault(inPackage files: [String: Data], of bundle: String) -> BundleError? {
    func unsafe(_ file: String) -> BundleError { BundleError("error_unsafe_part", bundle, file) }
    if let other = files.keys.sorted().first(where: { ![Place.manifest, Place.model, Place.weights].contains($0) }) {
        return unsafe(other)
    }
    guard let manifest = files[Place.manifest], names(manifest, hasWeights: files[Place.weights] != nil)
    else { return unsafe(Place.manifest) }
    guard let model = files[Place.model] else { return unsafe(Place.model) }
    do {
        let program = try Program([UInt8](model), allowed: AllowedOperations.coreML)
        return holds(files[Place.weights] ?? Data(), program.weights) ? nil : unsafe(Place.weights)
    } catch {
        return switch error {
        case .operation(let name): BundleError("error_unsafe_operation", bundle, name)
        case .form: unsafe(Place.model)
        }
    }
}

/// Why the package at `url` is not run, by all files in it; nil if it is sound.
func findFault(inPackageAt url: URL, of bundle: String) -> BundleError? {
    var files: [String: Data] = [:]
    guard let paths = FileManager.default.enumerator(atPath: url.path) else {
        return BundleError("error_unsafe_part", bundle, url.lastPathComponent)
    }
    while let path = paths.nextObject() as? String {
        switch paths.fileAttributes?[.type] as? FileAttributeType {
        case .typeDirectory? where Place.folders.contains(path): continue
        case .typeRegular?:
            // An unknown file is named, and not read.
            files[path] = [Place.manifest, Place.model, Place.weights].contains(path)
                ? (try? Data(contentsOf: url.appending(path: path), options: .mappedIfSafe)) : Data()
        default: return BundleError("error_unsafe_part", bundle, path)
        }
    }
    return findFault(inPackage: files, of: bundle)
}

/// Whether a package's manifest names the model and its weights with their places, nothing else, and the model as the root.
private func names(_ manifest: Data, hasWeights: Bool) -> Bool {
    guard let data = try? Json(parsing: manifest), let members = data.members,
        Set(members.keys) == ["fileFormatVersion", "itemInfoEntries", "rootModelIdentifier"],
        let items = members["itemInfoEntries"]?.members, let root = members["rootModelIdentifier"]?.text
    else { return false }
    // Readers differ in which one they take of a member that stands twice.
    let text = String(decoding: manifest, as: UTF8.self).replacing("\\/", with: "/")
    let counts = [("itemInfoEntries", 1), ("rootModelIdentifier", 1), ("path", items.count)]
    if text.contains("\\") || counts.contains(where: { text.ranges(of: "\"\($0)\"").count != $1 }) { return false }
    let paths = items.mapValues { $0["path"].text }
    let named = Set(paths.values)
    // A small network has its constants in the model; the folder for others is named all the same.
    return paths[root] == Place.modelItem && named.isSubset(of: [Place.modelItem, Place.weightsItem])
        && named.count == paths.count && (named.contains(Place.weightsItem) || !hasWeights)
}

/// The operations that a network's file may contain, the same for every command of azx: their answer depends on their inputs
/// alone, and they do nothing else.
enum AllowedOperations {
    /// Those of Core ML's programs.
    static let coreML: Set<String> = {
        guard let url = Bundle.module.url(forResource: "operations", withExtension: "json"),
            let data = try? Data(contentsOf: url), let names = (try? Json(parsing: data))?["coreml"].list(of: \.text)
        else { fatalError("operations.json is missing or damaged, this is a bug.") }
        return Set(names)
    }()
}

/// Whether all constants at `places` lie within the `file` of weights, each as large as its type and shape say.
///
/// Each begins with 64 bytes: a mark, its type, its number of bytes and their place, little end first.
func holds(_ file: Data, _ places: [WeightPlace]) -> Bool {
    places.allSatisfy { place in
        let headSize: UInt64 = 64
        let mark: UInt64 = 0xdead_beef
        let all = UInt64(file.count)
        guard place.offset <= all, all - place.offset >= headSize else { return false }
        let head = Array(file.dropFirst(Int(place.offset)).prefix(Int(headSize)))
        let (size, offset) = (number(head[8..<16]), number(head[16..<24]))
        return number(head[0..<4]) == mark && offset <= all && size <= all - offset && size == place.bytes
    }
}

private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
