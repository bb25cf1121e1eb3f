/// The bad bundles of mobile_assets/fixtures/bad_bundles.json, made of a good one; docs/fixtures.md describes them.

import AzxBundle
import AzxEngine
import Foundation

/// How a bad bundle is made, and what a person is told of it.
public struct Recipe: Sendable, CustomStringConvertible {
    /// Where a person sees it: in place of the list, on its card, on opening its game, on running its self-test.
    public enum Screen: String, Sendable { case list, card, play, test }

    public let about: String
    public let screen: Screen
    /// The catalog's key of what is told; nil if nothing is wrong.
    public let key: String?
    /// A text that the sentence has in it.
    public let names: String?
    private let edits: [Json]
    private let isSealed: Bool

    public var description: String { about }

    public static let all: [Recipe] = try! Fixtures.read("bad_bundles").items("cases").map { try Recipe($0) }

    /// The English sentences of errors in apps/texts by their keys, with places as `%1$s`; those that every app has alike.
    public static let sentences: [String: String] =
        (try! Fixtures.json(Fixtures.root.appending(path: "apps/texts/en.json")).members ?? [:])
        .compactMapValues(\.text).filter { $0.key.hasPrefix("error_") }

    private init(_ data: Json) throws {
        about = try data.string("about")
        guard let screen = Screen(rawValue: try data.string("screen")) else { throw GameError("\(about): no screen.") }
        self.screen = screen
        (key, names) = (data["key"].text, data["names"].text)
        edits = try data.items("edits")
        isSealed = try data.flag("sealed")
    }

    /// Make it, and install it as an index would list it; `model` is the file of the network that is edited.
    public func make(model: String = Broken.model, _ more: String...) throws -> Broken {
        let broken = more.isEmpty ? try Broken() : try Broken(more[0])
        let good = try Fixtures.fileEntry(broken.folder, "manifest.json")
        for (name, path) in [("golden", "golden.json"), ("model", model)] {
            let before = try Fixtures.fileEntry(broken.folder, path)
            let file = broken.folder.appending(path: path)
            let isThere = try edit(name, file)
            if !isSealed || !isThere { continue }
            let after = try seal(broken.folder, path)
            if after == before { continue }
            try broken.edit(before.sha256, after.sha256)
            try broken.edit("\"size\": \(before.size)", "\"size\": \(after.size)")
        }
        try edit("manifest", broken.folder.appending(path: "manifest.json"))
        let manifest = isSealed ? try seal(broken.folder, "manifest.json") : good
        let index = broken.folder.deletingLastPathComponent().appending(path: "index.json")
        try Data(list(manifest).utf8).write(to: index)
        try edit("index", index)
        return broken
    }

    private func list(_ manifest: FileEntry) -> String {
        """
        {"schema_version": 2, "bundles": [{"name": "tictactoe", "title": "Tic-tac-toe", "game": "tictactoe",
         "settings": {}, "artifact": "tictactoe.mlpackage", "format": "coreml", "problems": [],
         "files": [{"path": "manifest.json", "sha256": "\(manifest.sha256)", "size": \(manifest.size)}]}]}
        """
    }

    /// Whether the file is there afterwards.
    @discardableResult
    private func edit(_ name: String, _ file: URL) throws -> Bool {
        for edit in edits where edit["file"].text == name {
            if edit["do"].text == "remove" {
                try FileManager.default.removeItem(at: file)
                return false
            }
            try rewrite(try Data(contentsOf: file), edit).write(to: file)
        }
        return true
    }
}

/// What an edit makes of a file's bytes.
private func rewrite(_ bytes: Data, _ edit: Json) throws -> Data {
    let text = String(decoding: bytes, as: UTF8.self)
    switch try edit.string("do") {
    case "cut": return bytes.prefix(bytes.count / 2)
    case "change":
        var changed = bytes
        changed[bytes.count / 2] ^= 1
        return changed
    case "write": return Data(try edit.string("text").utf8)
    case "fill":
        let piece = Data(try edit.string("text").utf8)
        if piece.count == 1 { return Data(repeating: piece[0], count: try edit.int("times")) }
        return Data((0..<(try edit.int("times"))).flatMap { _ in piece })
    case "replace":
        guard let at = text.range(of: try edit.string("old")) else { throw GameError("there is no \(edit["old"]).") }
        return Data(text.replacingCharacters(in: at, with: try edit.string("new")).utf8)
    case "begin":
        guard let at = text.range(of: "{") else { throw GameError("there is no object.") }
        return Data(text.replacingCharacters(in: at, with: "{" + (try edit.string("text"))).utf8)
    case "end":
        guard let at = text.range(of: "}", options: .backwards) else { throw GameError("there is no object.") }
        return Data(text.replacingCharacters(in: at, with: (try edit.string("text")) + "}").utf8)
    case "set", "unset":
        let value = edit["do"].text == "set" ? edit["value"] : nil
        return Data(change(try Json(parsing: bytes), try edit.items("at")[...], value).written.utf8)
    case let other: throw GameError("an edit '\(other)' is unknown.")
    }
}

/// The value with another one at a place, or without it where `value` is nil.
private func change(_ data: Json, _ path: ArraySlice<Json>, _ value: Json?) -> Json {
    guard let first = path.first else { return value ?? .null }
    let rest = path.dropFirst()
    if var members = data.members {
        for name in first.text == "*" ? Array(members.keys) : [first.text ?? ""] {
            members[name] = rest.isEmpty && value == nil ? nil : change(members[name] ?? .null, rest, value)
        }
        return .object(members)
    }
    guard var items = data.list else { return data }
    for at in first.text == "*" ? Array(items.indices) : [first.whole ?? 0] { items[at] = change(items[at], rest, value) }
    return .list(items)
}

/// The entry that vouches for a file as it is. What is far too large is never read as far as its hash.
private func seal(_ folder: URL, _ path: String) throws -> FileEntry {
    let size = try Data(contentsOf: folder.appending(path: path), options: .mappedIfSafe).count
    if size > 16 << 20 { return FileEntry(path: path, sha256: String(repeating: "0", count: 64), size: size) }
    return try Fixtures.fileEntry(folder, path)
}

extension Json {
    /// This as a JSON text.
    fileprivate var written: String {
        switch self {
        case .text(let text):
            "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
        case .list(let items): "[" + items.map(\.written).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(Json.text($0.key).written): \($0.value.written)" }.joined(separator: ", ") + "}"
        default: description
        }
    }
}
