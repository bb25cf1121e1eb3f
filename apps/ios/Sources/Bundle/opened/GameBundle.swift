import AzxEngine
import Foundation

/// A bundle that has been read and checked: its manifest, how its game is read, and its other files when asked for.
///
/// `problems` says why it cannot be played; its self-test may run all the same. `doubt` says what is
/// only assumed: how it sees the board, or which output is which; nil if both are known.
public struct GameBundle: Sendable {
    public let entry: Entry
    public let manifest: Manifest
    public let problems: [Problem]
    /// How its game is read; nil if it cannot be played.
    public let readingOrNil: Reading?
    public let doubt: Doubt?
    private let store: Store

    /// The bundle of an index's entry, its manifest checked; BundleError if that is missing or damaged. `chosen` names
    /// the reading that a person has chosen if the manifest's own is only assumed.
    public init(_ entry: Entry, _ store: Store, chosen: String? = nil) throws {
        manifest = try Manifest(try json(store, entry, try entry.manifestFile), of: entry.name)
        let (own, problems) = judge(entry, manifest)
        (readingOrNil, doubt) = choose(own, manifest, chosen)
        self.problems = problems
        self.entry = entry
        self.store = store
    }

    /// How its game is read; Unplayable if it cannot be played.
    public var reading: Reading {
        get throws {
            if let readingOrNil { return readingOrNil }
            throw Unplayable(bundle: entry.name, problems: problems)
        }
    }

    /// The settings of its network's search.
    public var search: SearchSettings { SearchSettings(manifest.data["search"]) }

    /// Why its self-test cannot run, as far as the manifest tells; nil if it can.
    public var untestable: Problem? {
        if !hasArtifact(entry, manifest) { return Problem("no_artifact") }
        return manifest.files.contains { $0.path == goldenFile } ? nil : Problem("no_golden")
    }

    /// What is played if that is a lower precision, as `azx install --precision` chose; nil if it is float32.
    public var lower: Lower? {
        entry.artifact.flatMap { $0 == manifest.recommended["ios"] ? nil : Lower(manifest, at: $0) }
    }

    /// The place of the network, a file or a folder, after a check of all its files; `device` is the kind of device that it is
    /// recommended for. BundleError if a file is missing or differs from the manifest, or a package fails at the door.
    public func model(for device: String = "ios") throws -> URL {
        let chosen = device == "ios" ? lower?.path : nil
        guard let artifact = chosen ?? manifest.recommended[device] else { throw BundleError("error_no_artifact", entry.name) }
        for file in try manifest.files(of: artifact) {
            guard let bytes = store.mapBytes("\(entry.name)/\(file.path)") else {
                throw BundleError("error_missing", entry.name, file.path)
            }
            try check(bytes, file, entry.name)
        }
        let url = store.url("\(entry.name)/\(artifact)")
        if device == "ios", let fault = findFault(inPackageAt: url, of: entry.name) { throw fault }
        return url
    }

    /// The self-test's positions, at least one; BundleError if they cannot be read.
    public func golden() throws -> [Golden] {
        try Golden.positions(try json(store, entry, try manifest.file(goldenFile)), manifest)
    }
}

/// The reading by which a bundle is played, and the doubt if its `own` reading is only assumed.
private func choose(_ own: Reading?, _ manifest: Manifest, _ chosen: String?) -> (Reading?, Doubt?) {
    let outputs = manifest.outputs.contains { $0.isAssumed }
    guard let own, manifest.others != nil || outputs else { return (own, nil) }
    let others = readOthers(manifest.others ?? [], manifest, own)
    let found = others.first { $0.name == chosen }
    let named = others.map { Doubt.Named(name: $0.name, encoding: $0.reading.encoding) }
    let doubt = Doubt(
        assumed: own.encoding, others: named, chosen: found?.name, board: manifest.others != nil, outputs: outputs)
    return (found?.reading ?? own, doubt)
}

let goldenFile = "golden.json"

private func json(_ store: Store, _ entry: Entry, _ file: FileEntry) throws -> Json {
    guard let bytes = store.bytes("\(entry.name)/\(file.path)") else {
        throw BundleError("error_missing", entry.name, file.path)
    }
    if bytes.count > mostJsonBytes { throw BundleError("error_too_large", entry.name, file.path) }
    try check(bytes, file, entry.name)
    guard let found = try? Json(parsing: bytes) else { throw BundleError("error_json", entry.name, file.path) }
    return found
}
