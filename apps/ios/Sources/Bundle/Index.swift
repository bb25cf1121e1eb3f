/// Which bundles are installed: azx/index.json, that `azx install` writes.

import AzxEngine

/// One installed bundle: `name` is its folder, `title` what a list shows, `artifact` the path of the network.
public struct Entry: Equatable, Sendable {
    public let name: String
    public let title: String
    public let game: String?
    public let artifact: String?
    public let format: String?
    public let files: [FileEntry]

    public init(name: String, title: String, game: String?, artifact: String?, format: String?, files: [FileEntry]) {
        self.name = name
        self.title = title
        self.game = game
        self.artifact = artifact
        self.format = format
        self.files = files
    }

    fileprivate init?(_ data: Json) {
        guard let name = data["name"].text, isInside(name), !name.contains("/"), let files = FileEntry.list(data["files"])
        else { return nil }
        self.init(
            name: name, title: data["title"].text ?? name, game: data["game"].text, artifact: data["artifact"].text,
            format: data["format"].text, files: files)
    }
}

/// The format of the networks that this app runs.
public let format = "coreml"

/// The bundles that can be played here, in the index's order; none where there is no index. BundleError where the
/// index is not one.
public func installed(_ store: Store) throws -> [Entry] {
    guard let bytes = try store.bytes("index.json") else { return [] }
    guard let data = try? Json(parsing: bytes), data["schema_version"].whole == 1, let bundles = data["bundles"].list
    else { throw damaged }
    let entries = bundles.compactMap(Entry.init)
    guard entries.count == bundles.count else { throw damaged }
    return entries.filter { $0.game != nil && ($0.format == format || $0.format == nil) }
}

private let damaged = BundleError(
    "\(Store.folder)/index.json is not an index of version 1: install the bundles again with this app's azx.")
