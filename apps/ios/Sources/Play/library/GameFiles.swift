/// The folder of a library: a JSON file for each game. All functions here wait for the disk.

import AzxBundle
import AzxEngine
import Foundation

public struct GameFiles: Sendable {
    /// The name of the folder among those of the app. It is in the device's backups: the games are the person's own.
    public static let folder = "games"
    /// The most bytes of a record's file.
    static let mostBytes = 2_000_000
    private let root: URL

    public init(_ root: URL) { self.root = root }

    /// All records, and the names of files without one, which stay in the folder.
    func read() async -> (records: [GameRecord], damaged: [String]) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        var (records, damaged) = ([GameRecord](), [String]())
        // A file that is still being written has another ending.
        for name in names.sorted() where name.hasSuffix(ending) {
            if let record = record(name) { records.append(record) } else { damaged.append(name) }
        }
        return (records, damaged)
    }

    /// The record that a change found on the disk, and the one that it wrote.
    struct Put: Sendable {
        let there: GameRecord?
        let record: GameRecord
    }

    /// Write a record in place of its last version, atomically. A version that another process has made since `base` stays unless
    /// this one continues it; the record then gets another name.
    func write(_ record: GameRecord, from base: String?) async throws -> Put {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        return try await alone {
            let there = self.record(record.id + ending)
            let mayReplace = there.map { record.mayReplace($0, from: base) } ?? true
            let put = mayReplace ? record : record.renamed(GameRecord.freshId())
            try Data(put.json.bytes).write(to: url(put.id), options: .atomic)
            return Put(there: there, record: put)
        }
    }

    /// Remove a record's file, if there is one. A version that another process has made since `base` stays, and is returned.
    func remove(_ id: String, from base: String?) async throws -> GameRecord? {
        if !FileManager.default.fileExists(atPath: url(id).path) { return nil }
        return try await alone {
            if let base, let there = record(id + ending), there.revision != base { return there }
            try FileManager.default.removeItem(at: url(id))
            return nil
        }
    }

    /// Make a change while no one else, in this process or another, changes the folder. The lock is the system's: it ends with its
    /// process in any case.
    private func alone<Found>(_ change: () throws -> Found) async throws -> Found {
        let folder = open(root.path, O_RDONLY | O_CLOEXEC)
        if folder < 0 { throw CocoaError(.fileReadNoSuchFile) }
        defer { close(folder) }
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR || errno == EWOULDBLOCK else { throw CocoaError(.fileLocking) }
            // The system's own wait would block a thread that tasks share.
            try? await Task.sleep(for: .milliseconds(5))
        }
        return try change()
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
