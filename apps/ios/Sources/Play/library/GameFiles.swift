/// The folder of a library: a file of JSON each game. Whatever is here may take as long as a disk does.

import AzxBundle
import AzxEngine
import Foundation

public struct GameFiles: Sendable {
    /// The name of the folder among those of the app. It is in the device's backups: the games are the person's own.
    public static let folder = "games"
    /// A record's own file is not larger.
    static let mostBytes = 2_000_000
    private let root: URL

    public init(_ root: URL) { self.root = root }

    /// All records, and the names of the files that hold none: those are left where they are.
    func read() -> (records: [GameRecord], damaged: [String]) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        var (records, damaged) = ([GameRecord](), [String]())
        // A file on its way to its place has another ending.
        for name in names.sorted() where name.hasSuffix(ending) {
            if let record = record(name) { records.append(record) } else { damaged.append(name) }
        }
        return (records, damaged)
    }

    /// Put a record in the place of what was kept of it before: written aside and moved there.
    func write(_ record: GameRecord) throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try Data(record.json.bytes).write(to: url(record.id), options: .atomic)
    }

    /// Take a record's file away; nothing where there is none.
    func remove(_ id: String) throws {
        if FileManager.default.fileExists(atPath: url(id).path) { try FileManager.default.removeItem(at: url(id)) }
    }

    private func url(_ id: String) -> URL { root.appending(path: id + ending) }

    private func record(_ name: String) -> GameRecord? {
        guard let handle = try? FileHandle(forReadingFrom: root.appending(path: name)) else { return nil }
        defer { try? handle.close() }
        guard let bytes = try? handle.read(upToCount: Self.mostBytes + 1), bytes.count <= Self.mostBytes,
            let data = try? Json(parsing: bytes), let record = GameRecord(data), record.id + ending == name
        else { return nil }
        return record
    }
}

private let ending = ".json"
