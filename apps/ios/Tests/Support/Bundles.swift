/// Bundles for tests: those that have been exported on this machine, and broken copies of them.

import AzxBundle
import AzxEngine
import Foundation

extension Fixtures {
    /// The exported reference bundles, and those of other networks, where somebody has exported some.
    public static let bundles = root.appending(path: "build/bundles")
    public static let others = root.appending(path: "build/others")

    /// The folders of the bundles below a folder, by name.
    public static func bundles(in folder: URL) -> [URL] {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return found.sorted().map { folder.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "manifest.json").path) }
    }

    /// The bundle in a folder, as an index would list it now.
    public static func bundle(_ folder: URL) throws -> GameBundle {
        try GameBundle(entry(folder), Store(folder.deletingLastPathComponent()))
    }

    /// What an index says of the bundle in a folder, of which `artifact` is played.
    public static func entry(_ folder: URL, artifact: String? = nil) throws -> Entry {
        let name = folder.lastPathComponent
        let manifest = try fileEntry(folder, "manifest.json")
        return Entry(name: name, title: name, game: "any", artifact: artifact, format: nil, files: [manifest])
    }

    public static func fileEntry(_ folder: URL, _ path: String) throws -> FileEntry {
        let bytes = try Data(contentsOf: folder.appending(path: path))
        return FileEntry(path: path, sha256: sha256(bytes), size: bytes.count)
    }
}

/// A copy of a reference bundle in a folder of its own, to be broken.
public final class Broken {
    public static let model = "tictactoe.mlpackage/Data/com.apple.CoreML/model.mlmodel"
    private let above: URL
    public let folder: URL

    /// `more` are other files of the bundle that are copied as well.
    public init(_ more: String...) throws {
        above = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")
        folder = above.appending(path: "tictactoe")
        let original = Fixtures.bundles.appending(path: "tictactoe")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["manifest.json", "golden.json", "tictactoe.mlpackage"] + more {
            try FileManager.default.copyItem(at: original.appending(path: name), to: folder.appending(path: name))
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: above)
    }

    public var store: Store { Store(above) }

    public func open(chosen: String? = nil) throws -> GameBundle {
        try GameBundle(try Fixtures.entry(folder), store, chosen: chosen)
    }

    public func read(_ path: String) throws -> Data { try Data(contentsOf: folder.appending(path: path)) }

    public func write(_ bytes: Data, _ path: String) throws { try bytes.write(to: folder.appending(path: path)) }

    public func remove(_ path: String) throws { try FileManager.default.removeItem(at: folder.appending(path: path)) }

    /// Put a text in another's place in the manifest; GameError if the manifest does not have it.
    public func edit(_ old: String, _ new: String) throws {
        let text = String(decoding: try read("manifest.json"), as: UTF8.self)
        guard text.contains(old) else { throw GameError("the manifest has no \(old).") }
        try write(Data(text.replacingOccurrences(of: old, with: new).utf8), "manifest.json")
    }

    /// Put other bytes in a file's place, and their hash and size in the manifest's.
    public func replace(_ path: String, with bytes: Data) throws {
        let before = try Fixtures.fileEntry(folder, path)
        try write(bytes, path)
        let after = try Fixtures.fileEntry(folder, path)
        try edit(before.sha256, after.sha256)
        try edit("\"size\": \(before.size)", "\"size\": \(after.size)")
    }
}

/// A member of a manifest that says that another reading fits as well.
public let assumed = """
    "assumed": {"others": [{"actions": [0, 1], "name": "tictactoe-signed-opponent",
    "encoding": {"layout": "flat", "board": [3, 3], "planes": ["signed_opponent"]}}]},
    """

/// The same with readings that can be chosen, and one that reads more numbers than the network has.
public let choosable = """
    "assumed": {"others": [{"name": "tictactoe-signed-opponent", "actions": "cell",
    "encoding": {"layout": "flat", "board": [3, 3], "planes": ["signed_opponent"]}},
    {"name": "tictactoe-bottom-first", "actions": [6, 7, 8, 3, 4, 5, 0, 1, 2],
    "encoding": {"layout": "flat", "board": [3, 3], "planes": ["codes_player0"], "flip": true}},
    {"name": "tictactoe-planes", "actions": "cell",
    "encoding": {"layout": "flat", "board": [3, 3], "planes": ["mover", "opponent"]}}]},
    """

/// A store that has an index of one bundle beside it.
public final class Listed {
    private let above: URL
    public var store: Store { Store(above) }

    /// Only what the list reads is copied: the manifest.
    public init(_ folder: URL) throws {
        let (name, manifest) = (folder.lastPathComponent, try Fixtures.fileEntry(folder, "manifest.json"))
        above = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")
        let copy = above.appending(path: name)
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: folder.appending(path: "manifest.json"), to: copy.appending(path: "manifest.json"))
        let index = """
            {"schema_version": 2, "bundles": [{"name": "\(name)", "title": "\(name)", "game": "\(name)",
             "files": [{"path": "manifest.json", "sha256": "\(manifest.sha256)", "size": \(manifest.size)}]}]}
            """
        try Data(index.utf8).write(to: above.appending(path: "index.json"))
    }

    deinit {
        try? FileManager.default.removeItem(at: above)
    }
}
