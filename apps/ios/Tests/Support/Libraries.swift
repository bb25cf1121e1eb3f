import AzxBundle
import AzxEngine
import AzxNetwork
import AzxPlay
import AzxScreens
import Foundation

/// A folder for a library, which outlives no test.
public final class GamesFolder: Sendable {
    public let url = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")

    public init() {}

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A library of these games, as a process has it that begins.
    @MainActor public func library() -> Library { Library(GameFiles(url)) }

    /// The names of the files.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    public func write(_ text: String, _ name: String) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    public func read(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }
}

/// The game of moves on the board that a network reads; nil if it is not sound.
public func kept(
    _ reading: Reading, human: Player = 0, _ actions: [Int], end: String? = nil, settings: Settings = [:]
) throws -> Kept? {
    let text =
        "azx game 1\nhuman \(human)\nsettings\nactions" + actions.map { " \($0)" }.joined() + "\nrates"
        + (end.map { "\nend \($0)" } ?? "")
    let session = SavedGame(text)?.session(try reading.start(settings))
    return session.map { Kept($0, settings: settings, Identity($0.isWatched ? .watched : .played)) }
}

extension Room {
    /// Open a bundle that was installed.
    public func open(_ entry: Entry, _ store: Store, on units: Units, _ load: @escaping Loading) async {
        await open(Installed(entry, store), on: units, load)
    }
}
