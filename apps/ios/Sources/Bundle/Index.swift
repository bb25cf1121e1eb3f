/// The index of installed bundles: azx/index.json, which `azx install` writes.

import AzxEngine
import Foundation

/// One installed bundle: `name` is its folder, `title` what a list shows, `artifact` the path of the network that is played.
///
/// `problems` says why no app can play it, as azx knew when it was installed.
public struct Entry: Encodable, Hashable, Sendable {
    public internal(set) var name: String
    public let title: String
    public let game: String?
    public let artifact: String?
    public let format: String?
    public let files: [FileEntry]
    public let problems: [Problem]

    public init(
        name: String, title: String, game: String?, artifact: String?, format: String?, files: [FileEntry],
        problems: [Problem] = []
    ) {
        self.name = name
        self.title = title
        self.game = game
        self.artifact = artifact
        self.format = format
        self.files = files
        self.problems = problems
    }

    fileprivate init?(_ data: Json) {
        guard let name = data["name"].text, isInside(name), !name.utf8.contains(UInt8(ascii: "/")),
            let files = data["files"].list(of: FileEntry.init), let problems = Problem.list(data["problems"])
        else { return nil }
        self.init(
            name: name, title: data["title"].text ?? name, game: data["game"].text, artifact: data["artifact"].text,
            format: data["format"].text, files: files, problems: problems)
    }
}

extension Entry {
    /// The file of its manifest; BundleError if the index lists none.
    public var manifestFile: FileEntry {
        get throws {
            if let file = files.first(where: { $0.path == AzxBundle.manifestFile }) { return file }
            throw BundleError("error_index_manifest", name)
        }
    }
}

/// The names of a manifest, and of an index.
let manifestFile = "manifest.json"
let indexFile = "index.json"

/// The version of indexes that this app reads. One of version 1 had problems as English clauses.
let indexVersion = 2

/// The format of the networks that this app runs.
public let format = "coreml"

/// The installed bundles, whether they can be played here or not, in the index's order; none if there is no index.
/// BundleError if the index is not one.
public func readIndex(_ store: Store) throws -> [Entry] { try readIndex(store, versions: [indexVersion]) }

func readIndex(_ store: Store, versions: [Int]) throws -> [Entry] {
    guard let bytes = store.bytes(indexFile) else { return [] }
    guard bytes.count <= mostJsonBytes, let data = try? Json(parsing: bytes), let version = data["schema_version"].whole, versions.contains(version),
        let entries = data["bundles"].list(of: Entry.init)
    else { throw BundleError("error_index") }
    return entries
}
