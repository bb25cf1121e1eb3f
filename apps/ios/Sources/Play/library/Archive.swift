/// A library as a .zip: a JSON file each game, as the page writes it and reads it again.

import AzxBundle
import AzxEngine
import Foundation

// An exported library is recognised by this folder.
private let exportFolder = "azx-games/"
private let mostGames = 20_000

/// The result of an import: the numbers of new games, of known ones, and of files that are no games.
public struct Imported: Equatable, Sendable {
    public internal(set) var taken = 0
    public internal(set) var known = 0
    public internal(set) var refused = 0
}

/// Whether a file is a .zip of games: its first member lies in that folder.
public func isExport(_ url: URL) -> Bool {
    let nameAt = 30
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    let head = (try? file.read(upToCount: nameAt + exportFolder.utf8.count)) ?? Data()
    return head.starts(with: Data("PK\u{3}\u{4}".utf8)) && head.dropFirst(nameAt).elementsEqual(exportFolder.utf8)
}

extension Library {
    /// All games as a .zip.
    public func export() async -> Data {
        let records = list
        return await away { zip(records.map(pack)) }
    }

    /// Import the games of a .zip; a game that the library has in another form becomes a second entry. BundleError if it is not a
    /// .zip.
    public func take(_ url: URL) async throws -> Imported {
        let (records, refused) = try await unpack(url)
        var imported = Imported(refused: refused)
        await open()
        for record in records {
            let there = self[record.id]
            if let there, there.goesOn(from: record) {
                imported.known += 1
            } else {
                keep(there == nil ? record : record.renamed(GameRecord.freshId()))
                imported.taken += 1
            }
        }
        return imported
    }
}

private nonisolated func pack(_ record: GameRecord) -> ZipEntry {
    let name = "\(exportFolder)\(record.begun.prefix(10))-\(fileName(record.game))-\(record.id).json"
    return ZipEntry(name, changed: GameRecord.date(record.changed) ?? record.date, Data(record.json.bytes))
}

/// A game's name, which may be any text, for the name of a file.
private func fileName(_ game: String) -> String {
    String(game.prefix(40)).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
}

/// The games of a .zip that the rules allow, and how many of its files hold none.
private nonisolated func unpack(_ url: URL) async throws -> (records: [GameRecord], refused: Int) {
    guard let data = try? Data(contentsOf: url, options: .mappedIfSafe) else { throw BundleError("given_nothing") }
    var (records, refused) = ([GameRecord](), 0)
    for member in try unzip(data, called: url.lastPathComponent, most: mostGames) {
        if member.size <= GameFiles.mostBytes, let bytes = try? member.bytes(), let json = try? Json(parsing: bytes),
            let record = GameRecord(json), record.kept != nil
        {
            records.append(record)
        } else {
            refused += 1
        }
    }
    return (records, refused)
}
