/// Files that hold a network but no bundle: the format that they seem to have, and the command that makes them playable.

import Foundation

/// What Core ML's bundles are exported with, and what the format is called.
let (exported, spoken) = ("coreml", "Core ML")

// What HDF5 files begin with; and TFLite's, behind the place of their table.
private let hdf5: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]
private let tflite = (at: 4, bytes: [0x54, 0x46, 0x4c, 0x33] as [UInt8])
// What Keras 3 puts into the .zip that it calls .keras.
private let kerasMembers: Set = ["config.json", "model.weights.h5"]

/// What is said about a file that was given alone, by its first bytes or else by its name; nil if it is no network.
func foreign(_ name: String, _ data: Data) -> BundleError? {
    if data.starts(with: hdf5) { return keras(name) }
    if data.dropFirst(tflite.at).starts(with: tflite.bytes) { return other("TFLite", name) }
    return format(name)?(name)
}

/// What is said about the first network in a folder or a .zip called `what` that holds no bundle; nil without one.
func foreign(among members: [Member], of what: String) -> BundleError? {
    let paths = members.map(\.path)
    if kerasMembers.isSubset(of: paths) { return keras(what) }
    // A .zip's own name is not in its paths, as a folder's is.
    let isFolder = paths.contains { $0.hasPrefix(what + "/") }
    for path in paths {
        let parts = path.split(separator: "/").map(String.init)
        // Core ML's are folders.
        guard let at = parts.firstIndex(where: { format($0) != nil }), let said = format(parts[at]) else { continue }
        return said(((isFolder ? [] : [what]) + parts[...at]).joined(separator: "/"))
    }
    return nil
}

/// What is said of a file or a folder with this name; nil if it is that of no network.
private func format(_ name: String) -> ((String) -> BundleError)? {
    let name = name.lowercased()
    if name == "saved_model.pb" { return { BundleError("given_saved_model", $0, exported) } }
    if name == "model.json" { return { other("TF.js", $0) } }
    switch name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last {
    case "h5", "hdf5", "keras": return keras
    case "tflite": return { other("TFLite", $0) }
    case "onnx": return { other("ONNX", $0) }
    case "pb": return { other("TensorFlow", $0) }
    case "mlpackage", "mlmodel": return { BundleError("given_alone", $0, spoken) }
    default: return nil
    }
}

private func keras(_ name: String) -> BundleError { BundleError("given_keras", name, exported) }

private func other(_ format: String, _ name: String) -> BundleError {
    BundleError("given_other_format", name, format, spoken, exported)
}
